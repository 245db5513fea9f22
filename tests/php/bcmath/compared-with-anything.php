<?php
set_error_handler(function($n,$m){ echo "[$m]"; return true; });
$vals = [7, 0, true, false, null, 1.5, 1e20, NAN, '7.25', '7.250', 'abc', '', ' 7', [], [1], new stdClass, 7.25, '0x1'];
foreach (['7.25','0','1','-1'] as $n) { $n = new BcMath\Number($n); foreach ($vals as $v) { echo $n, ' ', json_encode($v, JSON_PARTIAL_OUTPUT_ON_ERROR), ': ';
 foreach (['<=>' => fn($a, $b) => $a <=> $b, '==' => fn($a, $b) => $a == $b, '<' => fn($a, $b) => $a < $b, '>' => fn($a, $b) => $a > $b, '<=' => fn($a,$b) => $a <= $b, '!=' => fn($a,$b)=>$a != $b] as $o => $f) { try { echo json_encode($f($n, $v)), ' ', json_encode($f($v, $n)), ' '; } catch (Throwable $e) { echo get_class($e), $e->getMessage(), ' '; } } echo "\n"; } }

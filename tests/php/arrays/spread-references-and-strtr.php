<?php
// References among elements that are spread stay, and `strtr` makes text of values when it needs them.
$x = 1; $a = ['k' => &$x, 5 => &$x, 7]; $b = [...$a, 8]; $x = 2; echo json_encode($b), "\n";
$y = 1; $a = [&$y]; unset($y); $b = [...$a]; $a[0] = 9; echo json_encode($b), "\n";
$z = 1; $g = (function() use (&$z) { yield $z; })(); $b = [...$g]; $z = 3; echo json_encode($b), "\n";
set_error_handler(function ($l, $m) { echo "  $m\n"; return true; });
echo strtr('abab', ['a' => [1], 'b' => 2.5]), "\n";
echo strtr('xx', ['a' => [1], 'b' => 2]), "\n";
echo strtr('xx', ['a' => [1]]), "\n";
echo strtr('xx', ['' => [1]]), "\n";
echo strtr('xx', ['' => 'b', 'x' => [1]]), "\n";
echo strtr('', ['' => [1]]), "|\n";
echo strtr('12 13 1', [1 => true, 12 => null, '13' => 1.0]), "\n";
class S { function __toString() { echo "asked "; return 's'; } }
echo strtr('abcabc', ['a' => new S, 'bc' => new S]), "\n";

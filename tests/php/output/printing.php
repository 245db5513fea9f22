<?php
// echo, print, heredocs, short tags and what each type prints.
echo 'a', 1, 2.0, true, false, null, "\n";
print("printed\n");
$r = print '';
echo $r, "\n";
echo 1.0, ' ', 0.1 + 0.7, ' ', 1e6, ' ', 1e22, ' ', -0.0, ' ', 1/3, ' ', 1e-10, "\n";
var_dump([1 => [true, null], 'k' => -1.5, 'e' => []], (object) []);
print_r([1, 'n' => ['x' => null, 'y' => false]]);
print_r("string\n");
echo print_r(5, true), var_export([1, ['a' => null]], true), "\n";
var_dump("multi
line", 1.5e300, PHP_INT_MIN);
?>
inline <?= 'short', ' echo' ?>

<?php echo <<<"X"
  end
  X;

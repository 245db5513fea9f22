<?php
function even(int $n, ...$rest) { $x = 0; while ($x < 2) { $x++; if ($n >= 0) { return !odd($n + 1, ...$rest); } } return true; }
function odd(int $n, ...$rest) { return $n === -1 ? false : !call_user_func('even', $n + 1, $n); }
var_dump(even(1));

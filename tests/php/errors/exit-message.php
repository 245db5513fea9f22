<?php
//: exit 0
// exit with a string prints it and succeeds.
echo "before ";
$f = function () { exit("message\n"); };
array_map($f, [1]);
echo "never";

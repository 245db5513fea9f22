<?php
// Elements of lists become strings when each is needed, for every subject anew.
var_dump(str_replace([[1], 'a'], 'x', ['a', 'b', '']));
var_dump(str_ireplace(['', 'A', 'b'], [[1], 'y'], ['a', 'B']));
var_dump(str_replace(['abc', [2]], ['', [3]], 'abc'));
var_dump(substr_replace([], [[1], [2]], 0));
var_dump(substr_replace(['abc', 'def', 'ghi'], ['1', [2]], 0, 1));
try {
    str_replace('a', ['b'], 'c');
} catch (TypeError $error) {
    echo $error->getMessage(), "\n";
}

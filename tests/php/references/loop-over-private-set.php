<?php
// A loop by reference gives out references to properties whether the code may set them or not.
class Point {
    public private(set) int $x = 1;
    public protected(set) array $list = [1];
    public int $free = 5;
    public private(set) int $unset;
    public readonly int $fixed;
    public function fix(): void { $this->fixed = 7; }
}
$point = new Point;
foreach ($point as $name => &$value) {
    echo $name, "\n";
    $value = is_array($value) ? [2, 3] : 10;
}
unset($value);
var_dump($point);
try {
    foreach ($point as $name => &$value) {
        $value = 'text';
    }
} catch (TypeError $error) {
    echo $error->getMessage(), "\n";
}
unset($value);
$point->fix();
try {
    foreach ($point as $name => &$value) {
        echo $name, "\n";
    }
} catch (Error $error) {
    echo $error->getMessage(), "\n";
}
unset($value);
try {
    $reference = &$point->x;
} catch (Error $error) {
    echo $error->getMessage(), "\n";
}

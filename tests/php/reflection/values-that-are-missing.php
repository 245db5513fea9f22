<?php
// A property of objects is set with both arguments.
class Point
{
    public int $x = 1;
    public static ?int $count = 2;
}
try {
    (new ReflectionProperty('Point', 'x'))->setValue(new Point);
} catch (ArgumentCountError $error) {
    echo $error->getMessage(), "\n";
}
(new ReflectionProperty('Point', 'count'))->setValue(5);
echo Point::$count, "\n";

try {
    $engine = serialize(new Random\Engine\Xoshiro256StarStar(1));
    unserialize("O:17:\"Random\\Randomizer\":1:{i:0;a:2:{s:3:\"foo\";N;s:6:\"engine\";$engine}}");
} catch (Exception $exception) {
    echo $exception->getMessage(), "\n";
}

<?php
// A closure that is not static can be bound to a class without an object. Loops and generators that were compiled for frames with
// an object must not read one where there is none, and the other way round.
class Box
{
    public $step = 2;
    private static $name = 'box';
    public static function inc($x) { return $x + 1; }
    public function add($x) { return $x + $this->step; }
}
class Child extends Box
{
    public static function inc($x) { return $x + 3; }
}

function last_of($values)
{
    $last = null;
    foreach ($values as $value) {
        $last = $value;
    }
    return $last;
}

$own = function ($count) {
    $sum = 0;
    for ($i = 0; $i < $count; $i++) {
        $sum = static::inc(self::inc($sum));
        if (isset($this)) {
            $sum = $this->add($sum);
        }
    }
    return $sum . (isset($this) ? ' with' : ' without') . ' of ' . static::class;
};
$generator = function ($count) {
    $sum = 0;
    for ($i = 0; $i < $count; $i++) {
        $sum = self::inc($sum) + strlen(static::class);
        $sum += isset($this) ? $this->step : 0;
        yield $sum;
    }
};
$names = function ($count) {
    $all = [];
    for ($i = 0; $i < $count; $i++) {
        $all[$i % 5] = self::$name . $i . (isset($this) ? $this->add($i) : self::inc($i));
    }
    return implode(',', $all);
};
$needs = function ($count, $from) {
    $sum = 0;
    for ($i = 0; $i < $count; $i++) {
        if ($i >= $from) {
            $sum = $this->add($sum) + $this->step;
        }
    }
    return $sum;
};

$first = Closure::bind(function ($count) {
    $sum = 0;
    for ($i = 0; $i < $count; $i++) {
        $sum = self::inc($sum);
    }
    return $sum;
}, null, Box::class);
echo $first(2000), "\n";

foreach (['without first' => [false, true, false], 'with first' => [true, false, true]] as $title => $order) {
    echo $title, "\n";
    $box = new Box();
    foreach ($order as $has) {
        foreach ([Box::class, Child::class] as $class) {
            $object = $has ? new $class() : null;
            $scope = $has ? Box::class : $class;
            echo Closure::bind($own, $object, $scope)(2000), "\n";
            echo last_of(Closure::bind($generator, $object, $scope)(2000)), "\n";
        }
        echo Closure::bind($names, $has ? $box : null, Box::class)(2000), "\n";
        try {
            echo Closure::bind($needs, $has ? $box : null, Box::class)(2000, 1000), "\n";
        } catch (Error $error) {
            echo get_class($error), ': ', $error->getMessage(), "\n";
        }
    }
}

<?php
// Elements of builtin classes, and of classes that replace some of their methods.
class Reads extends ArrayObject { function offsetGet($key): mixed { return "<$key>" . parent::offsetGet($key); } }
class Writes extends ArrayObject { function offsetSet($key, $value): void { echo "set "; parent::offsetSet($key, $value); } }
class Asks extends ArrayObject { function offsetExists($key): bool { echo "exists "; return parent::offsetExists($key); } }
class Fixed extends SplFixedArray { function offsetGet($key): mixed { return parent::offsetGet($key) . '!'; } }
class Hashes extends SplObjectStorage { function getHash($object): string { return get_class($object); } }
$key = new stdClass;
$other = new ArrayObject;
foreach ([new ArrayObject([1, 'a' => null]), new ArrayIterator([1, 'a' => null]), new Reads([1, 'a' => 2]), new Writes([1]),
    new Asks([1, 'a' => null]), new ArrayObject(new ArrayObject([1, 'a' => 3]))] as $o) {
    echo get_class($o), "\n";
    $o['b'] = 'x';
    $o[] = 'y';
    $o[5] = [1];
    $o['5'] = [2];
    if (!$o instanceof Reads) {
        $o[5][] = 3;
    }
    $o['b'] .= 'z';
    var_dump($o[0], $o['a'] ?? 'none', $o['b'], $o['5'], isset($o['a']), isset($o[0]), empty($o[0]), isset($o['no']), $o['no'] ?? 'absent');
    unset($o['b']);
    var_dump(count($o), @$o['b'], $o[true]);
    try {
        $o[[]] = 1;
    } catch (TypeError $error) {
        echo $error->getMessage(), "\n";
    }
    echo $o['gone'];
}
foreach ([SplFixedArray::fromArray([1, null, 'x']), Fixed::fromArray([1, null, 'x'])] as $o) {
    var_dump($o[0], $o['2'], $o[1] ?? 'none', isset($o[1]), isset($o[2]), empty($o[0]), isset($o[7]));
    $o[1] = [1];
    $o['0'] = 'first';
    var_dump($o[1.0], $o[0]);
    foreach ([fn() => $o[3], fn() => $o[-1] = 1, fn() => $o[] = 1, fn() => $o['a'], fn() => $o[[]]] as $wrong) {
        try {
            $wrong();
        } catch (Throwable $error) {
            echo get_class($error), ': ', $error->getMessage(), "\n";
        }
    }
}
foreach ([new SplObjectStorage, new Hashes, new WeakMap] as $o) {
    echo get_class($o), "\n";
    $o[$key] = 1;
    $o[$key] = [2];
    $o[$other] = null;
    var_dump($o[$key], isset($o[$key]), isset($o[$other]), $o[$other] ?? 'null', count($o), isset($o[new ArrayIterator]));
    foreach ([fn() => $o[new DateTime], fn() => $o['text'], fn() => $o[] = 1] as $wrong) {
        try {
            $wrong();
        } catch (Throwable $error) {
            echo get_class($error), ': ', preg_replace('/#\d+/', '#', $error->getMessage()), "\n";
        }
    }
}
foreach ([new SplDoublyLinkedList, new SplStack, new SplQueue] as $o) {
    $o[] = 'a';
    $o[] = 'b';
    $o[0] = 'c';
    var_dump($o[0], $o['1'], isset($o[1]), isset($o[2]), $o[9] ?? 'none');
    try {
        $o[2] = 'd';
    } catch (OutOfRangeException $error) {
        echo $error->getMessage(), "\n";
    }
}
class Loud { function __construct(public $name) {} function __destruct() { echo "destroyed $this->name\n"; } }
$o = new ArrayObject(['k' => new Loud('old')]);
$o['k'] = new Loud('new');
$o['k'] = null;
$f = new SplFixedArray(1);
$f[0] = new Loud('fixed');
$f[0] = 1;
$s = new SplObjectStorage;
$s[$key] = new Loud('stored');
$s[$key] = 2;
echo "end\n";

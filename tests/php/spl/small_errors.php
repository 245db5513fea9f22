<?php
class Forgetful extends RecursiveIteratorIterator {
    function __construct() {}
}
class Own extends ArrayIterator {
    function current(): mixed { return parent::current(); }
}
$sorting = new ArrayIterator([2, 1]);
foreach ([
    function () { foreach (new Forgetful as $x); },
    function () { foreach (new Own([1]) as &$x); },
    function () { (new CachingIterator(new ArrayIterator([1])))->nothing(); },
    function () { (new ArrayObject)->unserialize('x:i:0;r:3;;m:a:0:{}'); },
    function () { (new SplFileInfo(__FILE__))->openFile('r', false, []); },
    function () use ($sorting) { $sorting->uasort(fn($a, $b) => $sorting->unserialize($sorting->serialize()) ?? 0); },
    function () { $file = new SplTempFileObject; $file->fwrite('x'); $file->fread(9); (string) $file; },
] as $wrong) {
    try {
        $wrong();
    } catch (Throwable $e) {
        echo get_class($e), ': ', $e->getMessage(), "\n";
    }
}
echo implode(' ', array_keys((new ReflectionClass('RecursiveArrayIterator'))->getConstants())), "\n";
(new SplTempFileObject)->setCsvControl();

<?php
// eval sees the scope, returns values and reports parse errors.
$x = 5;
echo eval('return $x * 2;'), eval('$y = 7;'), $y, "\n";
eval('function made() { return "made at " . __LINE__; } class Made { const K = 1; }');
echo made(), Made::K, "\n";
try {
    eval("\n\nthis is not php");
} catch (ParseError $e) {
    echo get_class($e), $e->getLine(), ' ', $e->getMessage(), "\n";
}
try {
    eval('throw new LogicException("from eval");');
} catch (LogicException $e) {
    echo $e->getMessage(), $e->getLine(), ' ', str_contains($e->getFile(), "eval()'d code") ? 'eval' : 'file', "\n";
}
eval('?>inline <?= "html" ?> text<?php echo "\n";');
$f = eval('return fn($n) => $n + $x;');
echo $f(1), "\n";
class Host
{
    private $secret = 'hidden';
    function run($code) { return eval($code); }
}
echo (new Host)->run('return $this->secret . self::class . __CLASS__;'), "\n";

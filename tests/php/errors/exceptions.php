<?php
// Catch order, finally, rethrow, previous, properties.
class MyError extends Exception { public function __construct($m, private $extra = 'e') { parent::__construct($m, 42); } public function extra() { return $this->extra; } }
function run(int $n)
{
    try {
        echo "try ";
        match ($n) { 0 => null, 1 => throw new MyError('mine'), 2 => throw new LogicException('logic'), 3 => throw new TypeError('type'), 4 => intdiv(1, 0) };
        echo "no throw ";
        return 'returned';
    } catch (MyError $e) {
        return $e->getMessage() . $e->getCode() . $e->extra();
    } catch (LogicException | TypeError $e) {
        return get_class($e);
    } catch (Throwable) {
        return 'other';
    } finally {
        echo "finally ";
    }
}
foreach (range(0, 4) as $n) {
    echo run($n), "\n";
}
try {
    try {
        throw new Exception('inner', 1);
    } catch (Exception $e) {
        throw new RuntimeException('outer', 2, $e);
    }
} catch (Exception $e) {
    echo $e->getMessage(), $e->getPrevious()->getMessage(), $e->getLine() - $e->getPrevious()->getLine(), "\n";
}
$f = fn($x) => $x ?? throw new InvalidArgumentException('null given');
try {
    $f(null);
} catch (InvalidArgumentException $e) {
    echo $e->getMessage(), basename($e->getFile()), count($e->getTrace()), "\n";
}

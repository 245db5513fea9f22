<?php
//: exit 255
// Exceptions: construction, chains, what subclasses change, error handlers.

class Renamed extends DomainError
{
    protected $message = "own default";
    protected $code = 9;
    public function __construct(private string $extra = "none")
    {
        parent::__construct(code: 5);
    }
    public function extra() { return $this->extra; }
}

class DomainError extends RuntimeError
{
}

class RuntimeError extends Exception
{
    public function __toString(): string { return "<" . $this->getMessage() . ">"; }
}

$e = new Renamed("x");
var_dump($e->getMessage(), $e->getCode(), $e->extra(), $e->getLine(), basename($e->getFile()), $e->getPrevious(), (string) $e);

function thrower(int $depth)
{
    if ($depth === 0) {
        throw new LogicProblem("deep", 3, new TypeError("cause"));
    }
    thrower($depth - 1);
}
class LogicProblem extends Error
{
}
try {
    thrower(2);
} catch (Error $e) {
    echo get_class($e), " ", $e->getMessage(), " ", $e->getCode(), " ", get_class($e->getPrevious()), "\n";
    echo preg_replace_dirs($e->getTraceAsString()), "\n";
    echo count($e->getTrace()), " ", $e->getTrace()[0]["function"], " ", $e->getTrace()[1]["args"][0], "\n";
}
function preg_replace_dirs(string $text) { return str_replace(__DIR__, "", $text); }

$e = new ErrorException("message", 1, E_USER_WARNING, "other.php", 77);
var_dump($e->getSeverity(), $e->getFile(), $e->getLine(), (new ErrorException())->getSeverity());

var_dump(set_error_handler(function ($level, $message, $file, $line) {
    throw new ErrorException($message, 0, $level, $file, $line);
}));
try {
    echo $undefined;
} catch (ErrorException $e) {
    echo $e->getMessage(), " ", $e->getSeverity(), "\n";
}
var_dump(is_callable(set_error_handler(null)));
restore_error_handler();
restore_error_handler();
trigger_error("a notice");
trigger_error("a warning", E_USER_WARNING);
try {
    trigger_error("bad level", 12345);
} catch (ValueError $e) {
    echo $e->getMessage(), "\n";
}
try {
    try {
        throw new Exception("inner");
    } finally {
        throw new Exception("outer");
    }
} catch (Exception $e) {
    echo $e->getMessage(), " after ", $e->getPrevious()->getMessage(), "\n";
}
set_exception_handler(function (Throwable $e) { echo "handled: ", $e->getMessage(), "\n"; });
throw new Exception("nobody caught this");

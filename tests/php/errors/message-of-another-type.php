<?php
// Subclasses put what they like into the untyped properties of an exception; the methods give strings all the same.
class Text { function __toString(): string { return 'text'; } }
class Wrong extends Exception {
    function __construct($message, $code = 0) { $this->message = $message; $this->code = $code; }
}
foreach ([new Text, 12, 1.5, true, null, 'plain'] as $message) {
    $e = new Wrong($message, $message);
    var_dump($e->getMessage(), $e->getCode());
    echo get_class($e), ': ', strtok((string)$e, "/"), "\n";
}
class Loud { function __toString(): string { throw new LogicException('no text'); } }
try { (new Wrong(new Loud))->getMessage(); } catch (LogicException $e) { echo $e->getMessage(), "\n"; }
set_error_handler(function ($n, $m) { echo "$m\n"; return true; });
try { var_dump((new Wrong([1]))->getMessage()); } catch (Error $e) { echo $e->getMessage(), "\n"; }
try { var_dump((new Wrong(new stdClass))->getMessage()); } catch (Error $e) { echo $e->getMessage(), "\n"; }

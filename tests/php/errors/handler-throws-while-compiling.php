<?php
//: exit 255
ini_set('zend.exception_ignore_args', '1');
// PHP calls error handlers while it compiles: what they throw keeps the code from running, its declarations are made all the same.
set_error_handler(function (int $level, string $message) {
    echo "handler: $level $message\n";
    throw new ErrorException($message);
});
function attempt(string $code): void {
    try {
        eval($code);
        echo "ran\n";
    } catch (Throwable $e) {
        echo $e::class, ': ', $e->getMessage(), "\n";
    }
}
spl_autoload_register(function (string $class) {
    echo "loading $class\n";
    eval("class $class { static function call(\$first = 1, \$second) { return __CLASS__; } }");
});
attempt('echo Loaded::call(1, 2), "\n";');
attempt('echo Loaded::call(1, 2), "\n";');
attempt('function declared($a = 1, $b) {} function again($a = 1, $b) {} class Plain {} class Held extends Later {} echo "never";');
var_dump(function_exists('declared'), function_exists('again'), class_exists('Plain', false), class_exists('Held', false));
attempt('interface Face {} class Faced implements Face { private function __get($name) {} } enum Kind { case One; } if (true) { class Conditional {} }');
var_dump(interface_exists('Face', false), class_exists('Faced', false), enum_exists('Kind', false), class_exists('Conditional', false));
attempt('function &nothing(): void {}');
attempt('class Sealed { final private function f() {} function g(integer $i, Integer $j) {} } declare(unknown=1);');
attempt('function text($x) { return "${x}"; } while (1) { switch (1) { case 1: continue; } }');
var_dump(class_exists('Sealed', false), function_exists('text'));
attempt('class Both { function f($a = 1, $b) { $this = 1; } }');

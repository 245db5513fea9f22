<?php
// Names end at a NUL in messages.
set_error_handler(function ($level, $message) {
    echo $message, "\n";
    return true;
});
$name = "a\0b";
$attempts = [
    fn() => [][$name],
    fn() => (new stdClass())->$name,
    fn() => (new stdClass())->$name(),
    fn() => stdClass::$name(),
    fn() => stdClass::$$name,
    fn() => constant("stdClass::$name"),
    fn() => $name(),
    fn() => new $name(),
    fn() => (fn($x) => 1)(...[$name => 1]),
    fn() => strlen(...[$name => 1]),
    fn() => call_user_func(['stdClass', $name]),
    fn() => mb_convert_kana('a', "\0"),
    fn() => constant($name),
    fn() => pack("\0", 1),
    fn() => sprintf("%\0", 1),
    fn() => date_default_timezone_set($name),
    fn() => class_implements($name),
    fn() => ini_get_all($name),
    fn() => stream_wrapper_register($name, 'stdClass'),
    fn() => define($name, 1) && define($name, 1),
    fn() => new ReflectionMethod(new stdClass()),
];
foreach ($attempts as $attempt) {
    try {
        $attempt();
    } catch (Error $error) {
        echo get_class($error), ': ', $error->getMessage(), "\n";
    }
}

<?php
// Where files are, and streams that belong to objects.
foreach (['', '/', '//', 'foo', '/x', 'a/b', 'a//b', 'a/b/', '/a/b', 'php://temp', '.', './a', '/.x'] as $path) {
    $above = (new SplFileInfo($path))->getPathInfo();
    echo "[$path] ", $above === null ? 'none' : json_encode([$above->getPath(), $above->getFilename(), $above->getPathname()], JSON_UNESCAPED_SLASHES), "\n";
}
set_include_path(__DIR__);
$file = new SplFileObject(basename(__FILE__), 'r', true);
var_dump($file->getPath() === __DIR__, $file->getRealPath() === __FILE__, $file->getPathname() === basename(__FILE__));

function last_stream()
{
    $all = get_resources('stream');
    return end($all);
}
echo preg_replace('/\d+ is/', 'N is', error_message(fn() => fclose(last_stream()))), "\n";
var_dump($file->fgets());
$directory = opendir(__DIR__);
echo preg_replace('/\d+ is/', 'N is', error_message(fn() => fclose($directory))), "\n";
var_dump(is_string(readdir($directory)));
$writer = new XMLWriter();
$writer->openUri('php://output');
echo preg_replace('/\d+ is/', 'N is', error_message(fn() => fclose(last_stream()))), "\n";
$writer->text("still open\n");
$writer->flush();

function error_message(callable $do): string
{
    @$do();
    return error_get_last()['message'];
}

class Popping
{
    function __serialize(): array
    {
        $GLOBALS['list']->pop();
        return [];
    }
}
$list = new SplDoublyLinkedList;
$list->push(new Popping);
$list->push(1);
$list->push(2);
var_dump(@$list->serialize());

class Loader
{
    static function load($class) {}
    static function register()
    {
        spl_autoload_register(['self', 'load']);
        spl_autoload_unregister(['self', 'load']);
    }
}
set_error_handler(function ($level, $text) {
    echo $text, "\n";
    return true;
});
Loader::register();

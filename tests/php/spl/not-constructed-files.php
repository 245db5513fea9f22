<?php
// Some methods of a file object whose parent constructor was not called need no file.
class F extends SplFileObject { function __construct() {} }
class D extends FilesystemIterator { function __construct() {} }
foreach (['setCsvControl' => [',', '"', ''], 'getCsvControl' => [], 'setMaxLineLen' => [3], 'getMaxLineLen' => [], 'setFlags' => [1], 'getFlags' => [], 'valid' => [], 'key' => [], 'hasChildren' => [], 'getChildren' => [], 'fgets' => [], 'eof' => [], 'rewind' => [], 'current' => [], 'fgetcsv' => [], 'getSize' => [], 'getPathname' => [], '__toString' => []] as $method => $arguments) {
    foreach (['F', 'D'] as $class) {
        if (!method_exists($class, $method)) continue;
        echo "$class::$method ";
        try { var_dump(@call_user_func_array([new $class, $method], $arguments)); } catch (Throwable $e) { echo get_class($e), ': ', $e->getMessage(), "\n"; }
    }
}
try { call_user_func([new F, "setMaxLineLen"], -1); } catch (ValueError $e) { echo $e->getMessage(), "\n"; }

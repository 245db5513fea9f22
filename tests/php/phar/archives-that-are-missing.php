<?php
// Archives that cannot be opened, and kinds of compression that are none.
foreach (['loadPhar', 'unlinkArchive'] as $method) {
    try {
        Phar::$method('/nowhere/archive.phar');
    } catch (PharException $exception) {
        echo $exception->getMessage(), "\n";
    }
}
var_dump(Phar::canCompress(99), Phar::canCompress(Phar::GZ));

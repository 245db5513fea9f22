<?php
// A program in one file, which real PHP packed: run, read, and looked into.
include __DIR__ . '/program.phar';
$phar = new Phar(__DIR__ . '/program.phar');
var_dump(count($phar), $phar->getAlias(), $phar->getMetadata(), $phar->getSignature()['hash_type'], $phar->getVersion());
var_dump($phar->isFileFormat(Phar::PHAR), $phar->isCompressed(), $phar->isWritable(), Phar::canWrite());
foreach (new RecursiveIteratorIterator($phar) as $name => $file) {
    echo substr($name, strlen('phar://' . __DIR__)), ' ', get_class($file), ' ', $file->getSize(), ' ',
        $file->isCompressed() ? 'packed' : 'plain', ' ', $file->getCRC32(), "\n";
}
var_dump($phar['data.txt']->getContent(), $phar['data.txt']->getMetadata(), isset($phar['nothing']), isset($phar['lib']));
$in = 'phar://' . __DIR__ . '/program.phar/';
var_dump(scandir($in), is_dir($in . 'lib'), is_file($in . 'lib/../data.txt'), filesize($in . 'data.txt'));
var_dump(file_exists($in . 'none'), @file_get_contents($in . 'none'));
echo str_replace(__DIR__, '', error_get_last()['message']), "\n";
foreach ([fn() => $phar['nothing'], fn() => $phar->addFromString('x', 'y'), fn() => Phar::loadPhar(__FILE__),
    fn() => new Phar(__DIR__ . '/none.txt'), fn() => new PharFileInfo('plain')] as $number => $try) {
    try {
        $try();
    } catch (Exception $error) {
        echo $number, ' ', get_class($error), ': ', str_replace(__DIR__, '', $error->getMessage()), "\n";
    }
}
var_dump(Phar::running(), Phar::isValidPharFilename('a.phar'), Phar::isValidPharFilename('a.tar'), Phar::apiVersion());

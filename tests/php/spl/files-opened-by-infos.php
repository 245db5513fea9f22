<?php
// SplFileInfo::openFile() opens the file itself: only constructors written in PHP are called, with path and mode.
class Described extends SplFileObject
{
    public function __construct(...$arguments)
    {
        echo count($arguments), ' ', $arguments[1], "\n";
        parent::__construct(...$arguments);
    }
}
$info = new SplFileInfo(__DIR__ . '/nowhere/at/all');
try {
    $info->openFile();
} catch (RuntimeException $exception) {
    echo str_replace(__DIR__, '', $exception->getMessage()), "\n";
}
$info = new SplFileInfo(__FILE__);
$file = $info->openFile('r', true);
echo get_class($file), ' ', $file->getFilename(), ' ', $file->getPath() === __DIR__ ? 'here' : 'elsewhere', ' ', $file->fgets();
$info->setFileClass('Described');
echo $info->openFile('rb', true, null)->fgets();

<?php
// The functions, the callbacks, and what the object tells of itself.
$file = tempnam(sys_get_temp_dir(), 'zip');
unlink($file);
$zip = new ZipArchive;
var_dump($zip->open($file, ZipArchive::CREATE), $zip->registerProgressCallback(0.5, function (float $state) {
    echo 'progress ', $state, "\n";
}));
foreach (['one', 'two', 'three'] as $name) {
    $zip->addFromString($name, str_repeat("$name ", 1000));
}
var_dump(count($zip), $zip->lastId, $zip->status, $zip->statusSys, $zip->comment);
var_dump($zip->close());
// A callback that returns anything but zero stops the writing; the archive stays what it was.
$before = md5_file($file);
$zip->open($file);
$zip->addFromString('four', 'four');
$calls = 0;
var_dump($zip->registerCancelCallback(function () use (&$calls) {
    return $calls++ ? -1 : 0;
}));
var_dump($zip->close(), $zip->getStatusString());
var_dump(md5_file($file) === $before);
unset($zip);
$folder = zip_open($file);
while ($entry = zip_read($folder)) {
    echo zip_entry_name($entry), ' ', zip_entry_filesize($entry), ' ', zip_entry_compressedsize($entry), ' ';
    echo zip_entry_compressionmethod($entry), ' ', var_export(zip_entry_open($folder, $entry), true), ' ';
    echo zip_entry_read($entry, 8), "\n";
    var_dump(zip_entry_close($entry));
}
zip_close($folder);
var_dump(zip_open('/nowhere.zip'));
$zip = new ZipArchive;
$zip->open($file);
var_dump($zip->addGlob(__DIR__ . '/procedural.p*', 0, ['add_path' => 'scripts/', 'remove_all_path' => true]) !== false);
var_dump($zip->addPattern('/^procedural\.php$/', __DIR__, ['remove_path' => __DIR__]) !== false);
for ($i = 0; $i < $zip->numFiles; $i++) {
    $zip->getExternalAttributesIndex($i, $system, $attributes);
    echo $zip->getNameIndex($i), ' ', $system, ' ', $attributes, "\n";
}
var_dump($zip->locateName('PROCEDURAL.PHP', ZipArchive::FL_NOCASE | ZipArchive::FL_NODIR), $zip->locateName('ONE'));
var_dump($zip->unchangeAll(), $zip->numFiles, $zip->deleteIndex(99), $zip->getStatusString());
$zip->clearError();
var_dump($zip->getStatusString(), $zip->isCompressionMethodSupported(8), $zip->setArchiveFlag(ZipArchive::AFL_RDONLY, 1));
var_dump($zip->addFromString('x', 'y'), $zip->getStatusString(), $zip->getArchiveFlag(ZipArchive::AFL_RDONLY));
try {
    $zip->setCompressionIndex(0, -5) || print("refused\n");
    $zip->addGlob('*', 0, ['comp_method' => 'text']);
} catch (Throwable $error) {
    echo get_class($error), ': ', $error->getMessage(), "\n";
}
var_dump($zip->close());
unlink($file);
$copy = fn () => clone new ZipArchive;
try {
    $copy();
} catch (Error $error) {
    echo $error->getMessage(), "\n";
}
try {
    serialize(new ZipArchive);
} catch (Exception $error) {
    echo $error->getMessage(), "\n";
}

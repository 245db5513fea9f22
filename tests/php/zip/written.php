<?php
// Archives are written with the bytes that libzip writes: methods, levels, encryption headers, comments, attributes, times.
$file = tempnam(sys_get_temp_dir(), 'zip');
unlink($file);
$time = mktime(12, 30, 44, 5, 17, 2021);
$text = str_repeat('a text that shrinks ', 50);
$methods = ['DEFAULT', 'STORE', 'DEFLATE', 'BZIP2', 'XZ', 'ZSTD'];

function show(string $file): void
{
    $data = file_get_contents($file);
    echo strlen($data), ' ', md5($data), "\n";
}

foreach ($methods as $method) {
    $zip = new ZipArchive;
    var_dump($zip->open($file, ZipArchive::CREATE | ZipArchive::OVERWRITE));
    $zip->addFromString('one.txt', $text);
    $zip->addFromString('empty', '');
    $zip->addEmptyDir('folder');
    $zip->addFromString('folder/ü.txt', 'short');
    foreach (['one.txt', 'empty', 'folder/ü.txt'] as $name) {
        $zip->setCompressionName($name, constant("ZipArchive::CM_$method"), $method === 'DEFLATE' ? 9 : 0);
    }
    $zip->setExternalAttributesName('one.txt', ZipArchive::OPSYS_UNIX, 0100644 << 16);
    $zip->setExternalAttributesName('empty', ZipArchive::OPSYS_DOS, 1);
    $zip->setCommentName('one.txt', "comment of $method");
    $zip->setArchiveComment('of the archive: ä');
    for ($i = 0; $i < $zip->numFiles; $i++) {
        $zip->setMtimeIndex($i, $time + 2 * $i);
    }
    var_dump($zip->close());
    echo "$method: ";
    show($file);
    $zip->open($file);
    foreach (range(0, $zip->numFiles - 1) as $i) {
        $stat = $zip->statIndex($i);
        unset($stat['mtime']);
        echo json_encode($stat, JSON_UNESCAPED_UNICODE), ' ', crc32($zip->getFromIndex($i)), "\n";
    }
    $zip->close();
}
// Changes in place: the other entries stay what they are.
$zip = new ZipArchive;
$zip->open($file);
var_dump($zip->deleteName('empty'), $zip->renameName('one.txt', 'two.txt'), $zip->count(), $zip->numFiles);
var_dump($zip->addFromString('three', 'three'), $zip->unchangeName('two.txt'), $zip->setMtimeName('three', $time));
var_dump($zip->replaceFile(__FILE__, 9), $zip->status, $zip->getStatusString());
var_dump($zip->close());
show($file);
$zip->open($file);
for ($i = 0; $i < $zip->numFiles; $i++) {
    echo $zip->getNameIndex($i), ' ', $zip->getCommentIndex($i), "\n";
}
// The content of deleted entries is gone, the archive that has no entries is deleted.
for ($i = 0; $i < $zip->numFiles; $i++) {
    $zip->deleteIndex($i);
}
var_dump($zip->close(), file_exists($file));

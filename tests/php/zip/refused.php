<?php
// Archives that are none, are cut or lie are refused with libzip's numbers and messages.
$file = tempnam(sys_get_temp_dir(), 'zip');
unlink($file);
$zip = new ZipArchive;
$zip->open($file, ZipArchive::CREATE);
$zip->addFromString('a', str_repeat('text ', 100));
$zip->addFromString('b', 'stored');
$zip->setCompressionName('b', ZipArchive::CM_STORE);
$zip->setMtimeName('a', 1600000000);
$zip->setMtimeName('b', 1600000000);
$zip->close();
$good = file_get_contents($file);

set_error_handler(function (int $level, string $message): bool {
    echo "$message\n";
    return true;
});

function attempt(string $what, string $file, string $data, int $flags = 0): void
{
    file_put_contents($file, $data);
    $zip = new ZipArchive;
    $result = $zip->open($file, $flags);
    echo "$what: ", var_export($result, true);
    if ($result !== true) {
        echo ' ', $zip->getStatusString(), "\n";
        return;
    }
    for ($i = 0; $i < $zip->numFiles; $i++) {
        $content = $zip->getFromIndex($i, 100000);
        echo ' | ', $zip->getNameIndex($i), ' ', is_string($content) ? strlen($content) : 'false', ' ', $zip->getStatusString();
    }
    echo "\n";
    $zip->close();
}

$directory = strpos($good, "PK\1\2");
$end = strpos($good, "PK\5\6");
foreach ([0, ZipArchive::CHECKCONS] as $flags) {
    attempt('whole', $file, $good, $flags);
    attempt('nothing', $file, '', $flags);
    attempt('text', $file, 'no archive at all, though it is long enough to be one', $flags);
    attempt('cut at the end', $file, substr($good, 0, -1), $flags);
    attempt('cut in the directory', $file, substr($good, 0, $directory + 20), $flags);
    attempt('without its start', $file, substr($good, 10), $flags);
    attempt('behind other data', $file, str_repeat('x', 100) . $good, $flags);
    attempt('before other data', $file, $good . 'x', $flags);
    attempt('more entries told', $file, substr_replace($good, "\x03\0\x03\0", $end + 8, 4), $flags);
    attempt('fewer entries told', $file, substr_replace($good, "\x01\0\x01\0", $end + 8, 4), $flags);
    attempt('directory elsewhere', $file, substr_replace($good, "\xff\xff\xff\x7f", $end + 16, 4), $flags);
    attempt('size lies', $file, substr_replace($good, "\xff\xff\xff\x7f", $directory + 24, 4), $flags);
    attempt('compressed size lies', $file, substr_replace($good, "\xff\xff\xff\x7f", $directory + 20, 4), $flags);
    attempt('other checksum', $file, substr_replace($good, 'abcd', $directory + 16, 4), $flags);
    attempt('other method', $file, substr_replace($good, "\x63\0", $directory + 10, 2), $flags);
    attempt('unknown method', $file, substr_replace($good, "\x01\0", $directory + 10, 2), $flags);
    attempt('local header elsewhere', $file, substr_replace($good, "\x05\0\0\0", $directory + 42, 4), $flags);
    attempt('name longer than all', $file, substr_replace($good, "\xff\xff", $directory + 28, 2), $flags);
    attempt('other local name', $file, substr_replace($good, 'q', 30, 1), $flags);
    attempt('damaged data', $file, substr_replace($good, "\xff\xff\xff", 31, 3), $flags);
    attempt('several disks', $file, substr_replace($good, "\1\0", $end + 4, 2), $flags);
}
unlink($file);
var_dump((new ZipArchive)->open($file), (new ZipArchive)->open(sys_get_temp_dir()));
var_dump((new ZipArchive)->open('/nowhere/at/all.zip', ZipArchive::CREATE));
foreach (['', "a\0b"] as $name) {
    try {
        (new ZipArchive)->open($name);
    } catch (ValueError $error) {
        echo $error->getMessage(), "\n";
    }
}
try {
    (new ZipArchive)->addFromString('a', 'b');
} catch (ValueError $error) {
    echo $error->getMessage(), "\n";
}
// Names that lead out of the folder are extracted inside of it.
$zip = new ZipArchive;
$zip->open($file, ZipArchive::CREATE);
foreach (['../up', '/root', 'a/../../b', './c//d', 'e/../f', '..', 'C:\g'] as $name) {
    $zip->addFromString($name, $name);
}
$zip->close();
$zip->open($file);
$folder = $file . '.d';
restore_error_handler();
var_dump(@$zip->extractTo($folder));
$found = [];
foreach (new RecursiveIteratorIterator(new RecursiveDirectoryIterator($folder, FilesystemIterator::SKIP_DOTS), 1) as $path => $info) {
    $found[] = substr($path, strlen($folder)) . ($info->isDir() ? '/' : ' ' . file_get_contents($path));
}
sort($found);
print_r($found);
foreach (new RecursiveIteratorIterator(new RecursiveDirectoryIterator($folder, FilesystemIterator::SKIP_DOTS), 2) as $path => $info) {
    $info->isDir() ? rmdir($path) : unlink($path);
}
rmdir($folder);
unlink($file);

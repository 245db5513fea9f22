<?php
// Data that is not what the archive says is found out by all ways of reading.
$file = tempnam(sys_get_temp_dir(), 'zip');
unlink($file);
$zip = new ZipArchive;
$zip->open($file, ZipArchive::CREATE);
$zip->addFromString('a', str_repeat('text ', 100));
$zip->close();
$good = file_get_contents($file);
$directory = strpos($good, "PK\1\2");
$damaged = [
    'checksum' => substr_replace($good, 'abcd', $directory + 16, 4),
    'compressed size' => substr_replace($good, "\xff\xff\xff\x7f", $directory + 20, 4),
    'size' => substr_replace($good, "\0\4\0\0", $directory + 24, 4),
    'start of the data' => substr_replace($good, "\xff\xff\xff", 31, 3),
    'end of the data' => substr_replace($good, "\xff\xff\xff", $directory - 5, 3),
];
function size(string|false $data): string
{
    return is_string($data) ? strlen($data) : 'false';
}
set_error_handler(function (int $level, string $message) use ($file): bool {
    echo $level === E_DEPRECATED ? '' : str_replace($file, 'FILE', $message) . "\n";
    return true;
});
foreach ($damaged as $what => $data) {
    echo "-- $what\n";
    file_put_contents($file, $data);
    $zip = new ZipArchive;
    $zip->open($file);
    foreach ([0, 10, 499, 500, 501, 1000] as $length) {
        echo size($zip->getFromIndex(0, $length)), ' ', $zip->status, "\n";
    }
    echo size($zip->getFromName('a')), "\n";
    $stream = $zip->getStreamIndex(0);
    echo size(stream_get_contents($stream)), ' ', var_export(feof($stream), true), "\n";
    fclose($stream);
    echo size(file_get_contents("zip://$file#a")), "\n";
    var_dump($zip->extractTo("$file.d"), filesize("$file.d/a"));
    unlink("$file.d/a");
    $zip->close();
    $folder = zip_open($file);
    $entry = zip_read($folder);
    var_dump(zip_entry_open($folder, $entry));
    echo size(zip_entry_read($entry, 1000)), ' ', size(zip_entry_read($entry, 1000)), "\n";
    zip_close($folder);
}
rmdir("$file.d");
unlink($file);

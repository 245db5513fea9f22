<?php
// Transfers of files: results, targets, callbacks, several at once.
$file = tempnam(sys_get_temp_dir(), 'phlox');
file_put_contents($file, "hello curl\n");
$handle = curl_init("file://$file");
var_dump(curl_exec($handle));
curl_setopt($handle, CURLOPT_RETURNTRANSFER, true);
var_dump(curl_exec($handle), curl_errno($handle), curl_error($handle), curl_getinfo($handle, CURLINFO_SIZE_DOWNLOAD));
$copy = curl_copy_handle($handle);
curl_setopt_array($copy, [CURLOPT_WRITEFUNCTION => function ($handle, $data) use ($copy) {
    var_dump($handle === $copy, $data);
    return strlen($data);
}, CURLOPT_PRIVATE => ['mine']]);
var_dump(curl_exec($copy), curl_getinfo($copy, CURLINFO_PRIVATE));
$target = fopen('php://memory', 'w+');
$out = tempnam(sys_get_temp_dir(), 'phlox');
$stream = fopen($out, 'w');
curl_setopt($copy, CURLOPT_FILE, $stream);
var_dump(curl_exec($copy), file_get_contents($out));
fclose($stream);
var_dump(curl_exec($copy));
curl_setopt($handle, CURLOPT_WRITEFUNCTION, fn() => throw new Exception('from the callback'));
try {
    curl_exec($handle);
} catch (Exception $error) {
    echo $error->getMessage(), "\n";
}
curl_reset($handle);
curl_setopt_array($handle, [CURLOPT_URL => "file://$file.none", CURLOPT_RETURNTRANSFER => true]);
var_dump(curl_exec($handle), curl_errno($handle));
$multi = curl_multi_init();
$parts = [];
foreach ([1, 2] as $number) {
    $parts[] = $part = curl_init("file://$file");
    curl_setopt($part, CURLOPT_RETURNTRANSFER, true);
    var_dump(curl_multi_add_handle($multi, $part));
}
do {
    $status = curl_multi_exec($multi, $active);
} while ($status === CURLM_OK && $active && curl_multi_select($multi, 0.1) !== -1);
while ($message = curl_multi_info_read($multi)) {
    var_dump($message['result'], in_array($message['handle'], $parts, true), curl_multi_getcontent($message['handle']));
}
// What is refused.
foreach ([[99999, 1], [CURLOPT_HTTPHEADER, 'text'], [CURLOPT_URL, "a\0b"], [CURLOPT_WRITEFUNCTION, 'none'],
    [CURLOPT_FILE, fopen($file, 'r')]] as [$option, $value]) {
    try {
        var_dump(curl_setopt($handle, $option, $value));
    } catch (Error $error) {
        echo get_class($error), ': ', $error->getMessage(), "\n";
    }
}
var_dump(curl_escape($handle, 'a b&c'), curl_unescape($handle, 'a%20b'), curl_multi_strerror(1), curl_share_strerror(1));
$upload = new CURLFile($file, 'text/plain', 'name.txt');
var_dump($upload->getPostFilename(), $upload->getMimeType(), curl_setopt($handle, CURLOPT_POSTFIELDS, ['file' => $upload, 'x' => 'y', 'list' => [1, 2]]));
unlink($file);
unlink($out);

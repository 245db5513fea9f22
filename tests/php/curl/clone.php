<?php
// A copy of a handle has its settings, and goes its own way.
$file = tempnam(sys_get_temp_dir(), 'clone');
file_put_contents($file, "content\n");
$handle = curl_init("file://$file");
curl_setopt($handle, CURLOPT_RETURNTRANSFER, true);
curl_setopt($handle, CURLOPT_PRIVATE, 'mine');
$copy = clone $handle;
var_dump($copy === $handle, curl_exec($copy), curl_getinfo($copy, CURLINFO_PRIVATE));
curl_setopt($copy, CURLOPT_RETURNTRANSFER, false);
var_dump(curl_exec($handle));
var_dump(curl_exec($copy));
unlink($file);

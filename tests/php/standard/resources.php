<?php
// Every resource that somebody holds.
$count = count(get_resources());
$file = fopen('php://memory', 'r');
$closed = fopen('php://memory', 'r');
$id = get_resource_id($closed);
fclose($closed);
var_dump(count(get_resources()) - $count, get_resources()[get_resource_id($file)] === $file);
var_dump(isset(get_resources('stream')[get_resource_id($file)]), isset(get_resources('stream')[$id]));
var_dump(isset(get_resources('Unknown')[$id]), get_resources('process'));
$id = get_resource_id($file);
unset($file);
var_dump(isset(get_resources()[$id]));
try {
    get_resources('no such type');
} catch (ValueError $error) {
    echo $error->getMessage(), "\n";
}

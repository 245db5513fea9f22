<?php
$stream = fopen("php://memory", "w+");
fwrite($stream, "first line\nsecond line\nthird");
rewind($stream);
while (($line = fgets($stream)) !== false) {
    echo strlen($line), " ", json_encode($line), "\n";
}
var_dump(feof($stream), ftell($stream));
fseek($stream, -5, SEEK_END);
echo stream_get_contents($stream), "\n";
ftruncate($stream, 5);
rewind($stream);
stream_filter_append($stream, "string.toupper", STREAM_FILTER_READ);
echo stream_get_contents($stream), "\n";
fclose($stream);
echo file_get_contents("data:text/plain;base64,SGVsbG8="), "\n";
echo file_get_contents("php://filter/read=string.rot13/resource=data:,Uryyb"), "\n";
try {
    fread($stream, 1);
} catch (TypeError $e) {
    echo $e->getMessage(), "\n";
}

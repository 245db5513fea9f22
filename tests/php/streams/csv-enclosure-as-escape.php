<?php
$stream = fopen('php://memory', 'w+');
foreach (['"', 'a"b', '""', 'a\\"b', 'plain', 'a b'] as $text) {
    fputcsv($stream, [$text, 'x'], ',', '"', '"');
    fputcsv($stream, [$text, 'x'], ',', '"', '');
    fputcsv($stream, [$text, 'x'], ',', '"', '\\');
}
rewind($stream);
echo stream_get_contents($stream);

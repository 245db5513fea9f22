<?php
// Only contexts, and streams that have one, are a context for what is loaded.
$closed = fopen('php://memory', 'r');
fclose($closed);
$given = [
    'context' => stream_context_create(),
    'stream' => fopen('php://memory', 'r'),
    'with context' => fopen('php://memory', 'r', false, stream_context_create()),
    'closed' => $closed,
    'null' => null,
    'text' => 'x',
];
foreach ($given as $name => $value) {
    try {
        libxml_set_streams_context($value);
        echo "$name is taken\n";
    } catch (TypeError $error) {
        echo "$name: ", $error->getMessage(), "\n";
    }
}

<?php
// The parameter of a conversion is an array if there is one; other filters look at none.

$file = fopen('php://memory', 'w+');
foreach (['convert.base64-encode', 'convert.base64-decode', 'convert.quoted-printable-encode', 'convert.quoted-printable-decode',
    'string.rot13', 'consumed', 'dechunk'] as $name) {
    foreach ([5, null, [], 'x'] as $parameter) {
        echo $name, ' ', json_encode($parameter), ' ';
        var_dump(is_resource(stream_filter_append($file, $name, STREAM_FILTER_READ, $parameter)));
    }
    var_dump(is_resource(stream_filter_append($file, $name, STREAM_FILTER_READ)));
}

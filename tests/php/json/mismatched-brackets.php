<?php
foreach (['[}', '{]', '[1}', '{"a":1]', '[{]', '{"a":[}', '}', ']', '[', '{', '[1,}', '{"a":}'] as $text) {
    foreach ([512, 1, 2] as $depth) {
        json_decode($text, false, $depth);
        $decoded = json_last_error_msg();
        json_validate($text, $depth);
        echo $text, ' ', $depth, ': ', $decoded, ' | ', json_last_error_msg(), "\n";
    }
}

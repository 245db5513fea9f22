<?php
// A key that is no UTF-8 ends nothing: what is wrong with the value, or the depth, is told.
foreach ([["\xff" => 1], ["\xff" => NAN], ["\xff" => 1, 'b' => INF], (object) ["\xff" => 1], ['a' => ["\xff" => 2]]] as $value) {
    foreach ([512, 1, 0] as $depth) {
        foreach ([0, JSON_PARTIAL_OUTPUT_ON_ERROR] as $flags) {
            var_dump(json_encode($value, $flags, $depth));
            echo json_last_error_msg(), "\n";
        }
    }
}
// Properties whose names begin with a NUL byte are nobody's to see.
echo json_encode((object) ['a' => 1, '' => 2, "\0x" => 3]), "\n";
echo json_encode((object) ["\0x" => 3], JSON_PRETTY_PRINT), "\n";
echo json_encode(["\0x" => 3]), "\n";

<?php
// Offsets of strings that are no plain integers, for every kind of access.
set_error_handler(function ($level, $text) { echo "[$text] "; });
$offsets = [0, "1", "01", "1x", "x", 1.5, "1.5", null, true, [], new stdClass];
$uses = [
    "read" => function ($s, $o) { return $s[$o]; },
    "isset" => function ($s, $o) { return isset($s[$o]); },
    "empty" => function ($s, $o) { return empty($s[$o]); },
    "coalesce" => function ($s, $o) { return $s[$o] ?? "none"; },
    "write" => function ($s, $o) { $s[$o] = "Z"; return $s; },
    "op" => function ($s, $o) { $s[$o] .= "Z"; return $s; },
    "step" => function ($s, $o) { $s[$o]++; return $s; },
    "unset" => function ($s, $o) { unset($s[$o]); return $s; },
    "deep unset" => function ($s, $o) { unset($s[$o][0]); return $s; },
    "deep" => function ($s, $o) { $s[$o][0] = 1; return $s; },
    "reference" => function ($s, $o) { $r = &$s[$o]; return $s; },
];
foreach ($uses as $name => $use) {
    foreach ($offsets as $offset) {
        echo $name, " ", get_debug_type($offset), ": ";
        try {
            echo json_encode($use("abc", $offset)), "\n";
        } catch (Throwable $e) {
            echo get_class($e), ": ", $e->getMessage(), "\n";
        }
    }
}

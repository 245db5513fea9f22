<?php
// json_encode() with JSON_PARTIAL_OUTPUT_ON_ERROR, often enough to go the short way.
class Other implements JsonSerializable { function jsonSerialize(): mixed { return ['o' => 1]; } }
function encoded($value, $flags) { return var_export(json_encode($value, $flags), true) . ' ' . json_last_error(); }
$values = [['a' => 1, 'b' => [1.0, null, "x/y"]], "\xff", ["k" => NAN], new Other, [new Other, "\xff"], [[[1]]]];
$out = [];
for ($round = 0; $round < 30; $round++) {
    json_decode('{');
    foreach ($values as $i => $value) {
        foreach ([JSON_PARTIAL_OUTPUT_ON_ERROR, JSON_PARTIAL_OUTPUT_ON_ERROR | JSON_THROW_ON_ERROR, JSON_PARTIAL_OUTPUT_ON_ERROR | JSON_INVALID_UTF8_SUBSTITUTE | JSON_PRESERVE_ZERO_FRACTION] as $flags) {
            $line = "$i $flags " . encoded($value, $flags);
            if (($out["$i $flags"] ??= $line) !== $line) echo "another time: $line\n";
        }
    }
}
echo implode("\n", $out), "\n";

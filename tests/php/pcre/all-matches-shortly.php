<?php
// preg_match_all() with flags and offsets, often enough to go the short way, and what that leaves to the long one.
function all($pattern, $text, $flags, $offset) {
    $count = preg_match_all($pattern, $text, $found, $flags, $offset);
    return json_encode([$count, $found]);
}
$patterns = ['/(\w)(\d)?/', '/(?<word>[a-z]+)(?<more>-)?/', '/a(*MARK:one)|b/', '/x*/', '/(/', '/\w+/u'];
$texts = ["a1 b c2-", "ab-cd", "", "\xff a"];
$out = [];
for ($round = 0; $round < 3; $round++) {
    foreach ($patterns as $pattern) {
        foreach ($texts as $text) {
            foreach ([0, PREG_PATTERN_ORDER, PREG_SET_ORDER, PREG_OFFSET_CAPTURE, PREG_SET_ORDER | PREG_OFFSET_CAPTURE,
                PREG_SET_ORDER | PREG_UNMATCHED_AS_NULL, PREG_PATTERN_ORDER | PREG_UNMATCHED_AS_NULL] as $flags) {
                foreach ([0, 1, -1, 100] as $offset) {
                    $line = $pattern . ' ' . bin2hex($text) . " $flags $offset " . @all($pattern, $text, $flags, $offset) . ' ' . preg_last_error();
                    if (($out["$pattern $text $flags $offset"] ??= $line) !== $line) echo "another time: $line\n";
                }
            }
        }
    }
}
echo implode("\n", $out), "\n";
try {
    preg_match_all('/a/', 'a', $m, PREG_SET_ORDER | PREG_PATTERN_ORDER);
} catch (ValueError $e) { echo $e->getMessage(), ' ', json_encode($m), "\n"; }
echo preg_match_all('/a/', 'aba'), preg_match_all('/b/', 'aba', offset: 2), "\n";

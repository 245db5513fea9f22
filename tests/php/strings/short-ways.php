<?php
//: not-as-php what strcmp gives depends on how it is called
// Builtin functions answer plain arguments the short way; a call with unpacked arguments goes to the body. Both say the same.
set_error_handler(fn() => true);
$texts = ["", "a", "Hello World", "l", "lo", "  x\t", "12", "1.5e3", "h\xc3\xa9llo", "a,b,,c", "it's \"x\" \\ \n", "\xff\xfe"];
$numbers = [0, 1, -1, 7, 255, 1234567, -1234567, PHP_INT_MAX, PHP_INT_MIN];
$floats = [0.0, 1.5, -2.5, 1234.5678, 1e20, -0.0];
$lists = [[], [3, 1, 2], [1, "1", 2, "02"], ["b", "a", "c"], [1.5, 2], [true, null, "x"], [PHP_INT_MAX, 1]];
$maps = [["x" => 1, "y" => 2], ["b" => 1, "a" => 2, 5 => 3], [3 => "c", 1 => "a", 2 => "b"], ["k" => ["n" => 1]]];

$cases = [];
$one = fn(array $names, array $values) => array_map(fn($n) => array_map(fn($v) => [$n, [$v]], $values), $names);
$add = function (array $groups) use (&$cases) {
    foreach ($groups as $group) array_push($cases, ...$group);
};
$add($one(['strrev', 'ucfirst', 'lcfirst', 'ucwords', 'strtolower', 'strtoupper', 'trim', 'rtrim', 'ltrim', 'addslashes',
    'stripslashes', 'bin2hex', 'hex2bin', 'nl2br', 'str_split', 'htmlspecialchars', 'html_entity_decode', 'strip_tags', 'md5',
    'sha1', 'crc32', 'base64_encode', 'base64_decode', 'is_numeric', 'intval', 'floatval', 'strval', 'boolval', 'gettype',
    'mb_strlen', 'mb_strtoupper', 'mb_strtolower', 'mb_strwidth', 'mb_check_encoding', 'preg_quote', 'json_encode', 'serialize',
    'bindec', 'hexdec', 'octdec', 'count_chars', 'strlen', 'ord'], array_filter($texts, fn($t) => $t !== "\xff\xfe" && $t !== "l")));
$add($one(['abs', 'ceil', 'floor', 'round', 'sqrt', 'sin', 'exp', 'is_nan', 'decbin', 'dechex', 'decoct', 'number_format', 'is_scalar',
    'intval', 'floatval', 'strval', 'json_encode', 'serialize', 'chr', 'deg2rad'], $numbers));
$add($one(['abs', 'ceil', 'floor', 'round', 'sqrt', 'number_format', 'intval', 'strval', 'json_encode', 'serialize', 'is_finite'], $floats));
$add($one(['array_sum', 'array_product', 'array_keys', 'array_values', 'array_reverse', 'array_unique', 'array_filter',
    'array_flip', 'array_count_values', 'array_is_list', 'count', 'implode', 'array_merge', 'json_encode', 'serialize',
    'current', 'key'], array_filter([...$lists, $maps[0], $maps[1], $maps[2]], fn($l) => !in_array(null, $l, true) && !in_array(1.5, $l, true))));
foreach (["Hello World", "", "l", "aXbX"] as $a) {
    foreach (["l", "lo", "X", "hello", "World", ""] as $b) {
        foreach (['strcmp', 'strcasecmp', 'strnatcmp', 'strnatcasecmp', 'similar_text', 'levenshtein', 'strpos', 'stripos', 'strrpos',
            'strstr', 'strrchr', 'str_contains', 'str_starts_with', 'str_ends_with', 'strspn', 'strcspn', 'trim', 'rtrim', 'mb_strpos'] as $f) {
            $cases[] = [$f, [$a, $b]];
        }
        if ($b !== "") {
            foreach (['substr_count', 'mb_substr_count'] as $f) $cases[] = [$f, [$a, $b]];
            $cases[] = ['explode', [$b, $a]];
            $cases[] = ['str_replace', [$b, "<>", $a]];
            $cases[] = ['str_replace', [[$b, "o"], ["0", "l"], $a]];
            $cases[] = ['str_replace', [["e", $b], "-", $a]];
            $cases[] = ['strtr', [$a, $b, "xyz"]];
            $cases[] = ['str_pad', [$a, 14, $b, STR_PAD_BOTH]];
        }
        foreach ([0, 1, 3] as $n) {
            $cases[] = ['strncmp', [$a, $b, $n]];
            $cases[] = ['strncasecmp', [$a, $b, $n]];
            $cases[] = ['substr_replace', [$a, $b, $n, 2]];
            $cases[] = ['mb_substr', [$a, $n, 2]];
        }
    }
}
foreach ($lists as $l) {
    foreach ([[0, null], [1, 2], [-2, 1], [5, 1]] as [$o, $n]) $cases[] = ['array_slice', [$l, $o, $n]];
    $cases[] = ['array_slice', [$l, 1, 2, true]];
    $cases[] = ['array_chunk', [$l, 2]];
    if ($l && !in_array(null, $l, true)) {
        $cases[] = ['min', [$l]];
        $cases[] = ['max', [$l]];
    }
    $cases[] = ['array_merge', [$l, $maps[1], ["q"]]];
    $cases[] = ['array_replace', [$maps[1], $l]];
}
foreach ($maps as $m) {
    $cases[] = ['array_diff_key', [$m, ["x" => 0]]];
    $cases[] = ['array_intersect_key', [$m, ["x" => 0, 2 => 0]]];
    $cases[] = ['array_column', [[$m, $m], "x"]];
}
$plain = array_slice($maps, 0, 3);
foreach ($plain as $m) {
    foreach (['array_diff', 'array_intersect', 'array_diff_assoc', 'array_intersect_assoc'] as $f) $cases[] = [$f, [$m, [1, "b"], ["a" => 2]]];
    $cases[] = ['array_combine', [array_values($m), array_keys($m)]];
    $cases[] = ['array_fill_keys', [array_values($m), 7]];
    $cases[] = ['in_array', ["b", $m]];
    $cases[] = ['array_search', [2, $m]];
}
foreach ([[1, 5], [5, 1, 2], [0, 10, 3], [4, 4]] as $r) $cases[] = ['range', $r];
foreach ([["%d-%s", 5, "x"], ["%05d|%-6s|%x", -3, "ab", 255], ["%.2f %e", 1.005, 12345.678], ["%b %c %o %X %u", 5, 65, 8, 254, 3],
    ["%'*10s|%+d|%%", "r", 4], ["%2\$s %1\$s", "a", "b"], ["%5.1f", 3.14159], ["%s", 1.0], ["%s", true]] as $r) $cases[] = ['sprintf', $r];
foreach ([["/l/", "x", "hello"], ["/(h)(e)/", "\$2-\\1", "hello"], ["/z/", "y", "hello"], ["/e*/", "-", "hey"]] as $r) $cases[] = ['preg_replace', $r];
foreach ([["/,/", "a,b,,c"], ["/,/", "a,b,,c", 2], ["/(,)/", "a,b,,c", -1, PREG_SPLIT_DELIM_CAPTURE | PREG_SPLIT_NO_EMPTY], ["//", "abc", -1, PREG_SPLIT_NO_EMPTY]] as $r) $cases[] = ['preg_split', $r];
$cases[] = ['date', ["Y-m-d H:i:s", 86400 * 365]];
$cases[] = ['checkdate', [2, 29, 2024]];
$cases[] = ['mktime', [1, 2, 3, 4, 5, 2020]];
$cases[] = ['pow', [2, 10]];
$cases[] = ['pow', [3, 2]];
$cases[] = ['pow', [1.5, 2.5]];
$cases[] = ['fmod', [7, 2.5]];
$cases[] = ['number_format', [1234567.891, 2, ",", "."]];

$differing = 0;
$digests = [];
foreach ($cases as [$f, $args]) {
    preg_match("/x/", "x");
    $direct = eval("return $f(" . implode(", ", array_map(fn($v) => var_export($v, true), $args)) . ");");
    $body = call_user_func_array($f, $args);
    $digests[$f] = md5(($digests[$f] ?? "") . var_export($direct, true));
    if ($direct !== $body && !(is_float($direct) && is_nan($direct) && is_nan($body))) {
        $differing++;
        echo $f, " ", json_encode($args), ": ", var_export($direct, true), " and ", var_export($body, true), "\n";
    }
}
foreach ($digests as $f => $digest) echo $f, " ", substr($digest, 0, 8), "\n";
echo count($cases) > 1000 ? "many" : "few", " cases, $differing differ\n";

// Functions that change an array.
foreach (['sort', 'rsort', 'asort', 'arsort', 'ksort', 'krsort', 'array_pop', 'array_shift', 'end', 'next', 'reset'] as $f) {
    foreach ([...$lists, ...$plain] as $l) {
        if (in_array(null, $l, true) || in_array("02", $l, true)) continue;
        $a = $b = $l;
        $x = eval("return $f(\$a);");
        $y = call_user_func_array($f, [&$b]);
        $a[] = 'more';
        $b[] = 'more';
        if ($a !== $b || $x !== $y || current($a) !== current($b)) echo "$f differs on ", json_encode($l), "\n";
    }
}
$q = [1, 2];
echo array_push($q, 3, 4), array_unshift($q, 0), json_encode($q), "\n";
preg_match('/(b)(c)?/', 'abd', $m);
echo json_encode($m), preg_match_all('/(.)b/', 'abcb', $n), json_encode($n), "\n";
preg_match('/x/', 'abd', $m);
var_dump($m);

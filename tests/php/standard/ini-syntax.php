<?php
// The scanner's states and the parser's messages.
$texts = [
    "a = b", "a=", "a", "a = 'x y' z", "a = x ; c\nb = \"p\\\"q\" r", "a = E_ALL & ~E_NOTICE | 2", "a = (1|2) & 3\nb = !5\nc=~0", 'a = ${nope:-d${b:-e}}f',
    'a = ${', 'a = ${:-x}', 'a = ${b', 'a = "open', "[s\na=1", "[a b]\nc=1\n['d']\n[\"e\"f]\ng=2", "x[] = 1\nx[k] = 2\nx['q'] = 3\nx[E_ALL]=4", "x[a = 1",
    "x[a] b", "a = (1", "a = b)", "a = on\nb = None\nc = nullish\nd = null\ne = yes no", "{a = b", "a = { [ ]/%#", "on = 1", "a=1=2", "a = 1 2", "007 = 007\n0x1A = 0x1A\nb = -5\nc = 1.50\nd = .5\ne = 1e3",
    "a = \"C:\\dir\\\"\nb = 1", "a = x\\\\y\nb = \"x\\\\y\\n\\\$\"", "a='b", "; c\n  a = 1 \n\n;d", "a = \$b\nc = d\$", "a = \"multi\nline\"\nb = 2", "\u{feff}a = 1", "a = 3.7&2", "[]\n[=]\na=1", "a.b = c:d,e", "é = ü",
];
foreach ($texts as $text) {
    echo '=== ', json_encode($text), "\n";
    foreach ([INI_SCANNER_NORMAL, INI_SCANNER_RAW, INI_SCANNER_TYPED] as $mode) {
        set_error_handler(function ($level, $message) {
            echo trim($message), "\n";
        });
        echo json_encode(parse_ini_string($text, true, $mode)), "\n";
    }
}

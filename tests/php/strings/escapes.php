<?php
//: source-only Escape sequences in double quotes, single quotes and heredocs.
$cases = ["\n\t\r\v\e\f\\\$\"", "\0\7\77\101\400", "\x41\x4\xZZ", "\u{41}\u{e9}\u{1F600}\u{0041}", '\n\'\\\x', "\q\'", "{$GLOBALS['argc']}\{", "a\
b"];
foreach ($cases as $c) {
    echo bin2hex($c), "\n";
}
echo addcslashes("a\tb\x01z", "\0..\37"), stripcslashes('a\tb\x41'), quotemeta('1+1=2?'), htmlspecialchars('<a href="x">\'</a>'), html_entity_decode('&lt;&eacute;&#39;&hearts;'), strip_tags('<b>bold</b><br/>text'), "\n";
echo json_encode("é/\"\u{1F600}"), json_encode("é/", JSON_UNESCAPED_UNICODE | JSON_UNESCAPED_SLASHES), urlencode('a b&c=é'), rawurlencode('a b'), urldecode('%41+b'), base64_encode("bin\0"), bin2hex(base64_decode('AAECAw==')), "\n";
echo nl2br("x\r\ny"), var_export("multi\nline's \0 nul", true), "\n";

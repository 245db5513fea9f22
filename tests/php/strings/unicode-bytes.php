<?php
// Strings are bytes; only the functions that say so know UTF-8.
$s = 'héllo wörld';
echo strlen($s), strtoupper($s), strrev('abc'), ucfirst('élan'), substr($s, 0, 2) === "h\xc3" ? 'cut' : 'whole', "\n";
echo json_encode(str_split('aé', 1) === ['a', "\xc3", "\xa9"]), str_pad('é', 5, '*'), wordwrap('ééé éé', 4, '|', true), "\n";
echo htmlspecialchars("caf\xe9"), '|', htmlspecialchars("caf\xe9", ENT_SUBSTITUTE) === "caf\u{FFFD}" ? 'substituted' : 'other', "\n";
echo utf8_decode_free("\u{e9}"), "\n";
function utf8_decode_free($s) { return bin2hex($s); }
var_dump("\u{e9}" === 'é', ord('é'), strcmp('é', 'z') > 0, similar_text('é', 'è'));
$Ünï = 'identifiers may be UTF-8';
echo $Ünï, "\n";

<?php
// Encodings, flags and entities of htmlspecialchars() and html_entity_decode(), many times over for the short ways.
foreach (['UTF-8', 'utf-8', '', null, 'ISO-8859-1', 'cp1252'] as $encoding) {
    foreach ([ENT_QUOTES, ENT_NOQUOTES, ENT_COMPAT | ENT_HTML5, ENT_QUOTES | ENT_SUBSTITUTE] as $flags) {
        for ($i = 0; $i < 3; $i++) {
            $out = [];
            foreach (["a<b>'\"&amp;", "\u{e4}\u{20ac} & <", "\xe4 bad <", ''] as $text) {
                $out[] = bin2hex(htmlspecialchars($text, $flags, $encoding));
                $out[] = bin2hex(htmlspecialchars($text, $flags, $encoding, false));
                $out[] = bin2hex(htmlspecialchars($text, $flags, $encoding, true));
                $out[] = bin2hex(html_entity_decode($text . '&auml;&euro;&lt;', $flags, $encoding));
            }
        }
        echo var_export($encoding, true), " $flags ", implode(' ', $out), "\n";
    }
}
class Both { public function own() {} private function hidden() {} public function __call($name, $args) {} }
$closure = fn () => 1;
$objects = [new Both, $closure, new ArrayObject, new ArrayIterator([])];
for ($i = 0; $i < 4; $i++) {
    foreach ($objects as $object) {
        foreach (['own', 'OWN', 'hidden', '__call', '__invoke', 'bind', 'count', 'nothing', ''] as $name) {
            echo (int) method_exists($object, $name);
        }
    }
    echo "\n";
}

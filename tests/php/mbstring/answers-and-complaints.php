<?php
set_error_handler(function ($level, $message) { echo "[$level] $message\n"; return true; });
foreach (["", "a=%FF", "%FE=1", "a", "&", "="] as $text) {
    var_dump(mb_parse_str($text, $result));
    var_dump($result);
}
foreach (['HTML', 'BASE64', 'QPrint', 'UUENCODE', 'UTF-8'] as $name) {
    var_dump(count(mb_encoding_aliases($name)));
}
try { mb_substr("a", 0, PHP_INT_MIN, "none"); } catch (Error $e) { echo $e->getMessage(), "\n"; }
try { mb_substr("a", 0, 1, "none"); } catch (Error $e) { echo $e->getMessage(), "\n"; }

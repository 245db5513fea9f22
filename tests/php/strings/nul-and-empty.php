<?php
// Texts that are scanned end with a NUL byte.
var_dump(sscanf("\0", '%s'), sscanf("ab\0cd", '%s%s'), sscanf("12\x003", '%d%d'), sscanf('a b', "%s\0%s"), sscanf("a\0b", '%c%c'));
// Of an empty text nobody asks which letters count.
var_dump(addcslashes('', 'z..a'), str_word_count('', 0, 'z..a'), str_word_count('', 2, 'z..a'));
try {
    str_word_count('', 5, 'z..a');
} catch (ValueError $error) {
    echo $error->getMessage(), "\n";
}
var_dump(addcslashes('abc', 'z..a'));
// The name of a variable ends with a NUL byte.
parse_str("a%00b=1&h[%00]=6&i[a%00b]=7&%00=8&c[ ]=9", $variables);
var_dump($variables);

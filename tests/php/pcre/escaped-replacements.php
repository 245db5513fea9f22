<?php
// A backslash keeps `$` and another backslash from meaning more than themselves.
foreach (['\$1', '\\\\$1', '\\\\\$1', '\\\\\1', '\$', '$', '\\', '\a', '\${1}', '$\1', '\1\$1\\\\1'] as $text) {
    echo $text, ' => ', preg_replace('/(b)/', $text, 'abc'), ' ', preg_replace(['/(b)/'], [$text], ['abc', 'bb'])[1], "\n";
}
// An escape without a meaning is an error.
foreach (['/\y/', '/\y/X', '/[\y]/', '/\c/', '/\p{Foo}/', '/\x{110000}/u', '/\-\:\/\#/'] as $pattern) {
    var_dump(preg_match($pattern, 'y'), preg_last_error_msg());
}

<?php
// What is said about an encoding is said when its name is given, and not when the same name is given again at once.
echo mb_strlen('YWJj', 'BASE64'), "\n";
echo mb_strlen('YWJj', 'base64'), "\n";
echo mb_strlen('abc', 'ISO-8859-1'), "\n";
echo mb_strlen('YWJj', 'BASE64'), "\n";
echo mb_substr('YWJj', 0, 2, 'BASE64'), "\n";
foreach (['7bit', '8bit', 'HZ', 'ISO-2022-KR', 'ISO-2022-JP', 'UTF-7', 'JIS'] as $encoding) {
    try {
        echo mb_ord('abc', $encoding), ' ', bin2hex(mb_chr(97, $encoding)), "\n";
    } catch (ValueError $error) {
        echo $error->getMessage(), "\n";
    }
}
foreach ([3, 4, 6] as $start) {
    try {
        var_dump(mb_strimwidth("\u{e4}\u{f6}\u{fc}", $start, 1));
    } catch (ValueError $error) {
        echo $error->getMessage(), "\n";
    }
}

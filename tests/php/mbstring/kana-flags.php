<?php
// A flag that is no ASCII character is shown as the byte that it is.
foreach (['é', 'Kx', "\xff", 'Aa', 'KV'] as $mode) {
    try {
        echo bin2hex(mb_convert_kana('ｶﾞ', $mode)), "\n";
    } catch (ValueError $e) {
        echo bin2hex(substr($e->getMessage(), -4)), ' ', strlen($e->getMessage()), "\n";
    }
}

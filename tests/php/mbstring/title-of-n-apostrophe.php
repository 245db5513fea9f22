<?php
foreach ([MB_CASE_TITLE, MB_CASE_UPPER, MB_CASE_LOWER, MB_CASE_FOLD, MB_CASE_TITLE_SIMPLE] as $mode) {
    echo bin2hex(mb_convert_case("ŉa bŉ ŉ ßa ﬁx ǰx", $mode)), "\n";
}

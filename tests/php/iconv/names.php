<?php
// What the GNU C library makes of names of encodings.
foreach (['', 'ut f-8', "utf-8\0x", '!!!', 'utf-8!', 'iso-8859-1/', 'iso-8859-1//', 'none'] as $name) {
    var_dump(@iconv($name, 'UTF-8', 'a'), @iconv('UTF-8', $name, 'a'));
}
var_dump(iconv("none\0x", 'UTF-8', 'a'));

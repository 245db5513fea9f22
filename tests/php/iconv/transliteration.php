<?php
// What stands for characters that an encoding lacks.
$texts = ['žluťoučký kůň', '„quotes“ – dash … €', 'ﬁ ½ ™ © æ ß ø Ł ĳ', '日本', "a\u{301} ´¨", 'Ελ', '①Ⓐ★≤', "ǽǣ"];
foreach (['ASCII//TRANSLIT', 'ASCII//TRANSLIT//IGNORE', 'ISO-8859-1//TRANSLIT', 'WINDOWS-1250//TRANSLIT'] as $target) {
    foreach ($texts as $text) {
        echo $target, ': ', bin2hex(iconv('UTF-8', $target, $text)), "\n";
    }
}
foreach ([[0xa0, 0x24f], [0x1e00, 0x1eff], [0x2010, 0x206f], [0x20a0, 0x20c0], [0x2100, 0x21ff], [0xfb00, 0xfb06], [0xff01, 0xff5e]] as [$from, $to]) {
    $all = '';
    for ($code = $from; $code <= $to; $code++) {
        $all .= mb_chr($code) . '|';
    }
    echo iconv('UTF-8', 'ASCII//TRANSLIT', $all), "\n";
}
echo strtolower(preg_replace('/[^a-z0-9]+/i', '-', iconv('UTF-8', 'ASCII//TRANSLIT//IGNORE', 'Příliš Žluťoučký Kůň'))), "\n";
var_dump(ICONV_IMPL);

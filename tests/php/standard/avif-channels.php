<?php
// The transparency of an AVIF image is a channel more than its colours.

function box(string $kind, string $content): string { return pack('N', strlen($content) + 8) . $kind . $content; }

foreach (['', 'urn:mpeg:mpegB:cicp:systems:auxiliary:alpha', 'urn:mpeg:hevc:2015:auxid:2'] as $auxiliary) {
    $properties = box('ispe', pack('NNN', 0, 102, 121)) . box('pixi', pack('NCCCC', 0, 3, 8, 8, 8)) . box('av1C', "\x81\0\x0c\0");
    $links = pack('nCCCC', 1, 3, 1, 2, 0x83);
    $count = 1;
    $references = '';
    $entries = box('infe', pack('Nnna4a1', 0x02000000, 1, 0, 'av01', ''));
    if ($auxiliary !== '') {
        $properties .= box('auxC', pack('N', 0) . "$auxiliary\0") . box('pixi', pack('NCC', 0, 1, 8));
        $links .= pack('nCCCCC', 2, 4, 1, 5, 0x83, 4);
        $count = 2;
        $references = box('iref', pack('N', 0) . box('auxl', pack('nnn', 2, 1, 1)));
        $entries .= box('infe', pack('Nnna4a1', 0x02000000, 2, 0, 'av01', ''));
    }
    $meta = box('hdlr', pack('NNa4NNNa1', 0, 0, 'pict', 0, 0, 0, '')) . box('pitm', pack('Nn', 0, 1))
        . box('iinf', pack('Nn', 0, $count) . $entries) . $references
        . box('iprp', box('ipco', $properties) . box('ipma', pack('NN', 0, $count) . $links));
    $image = box('ftyp', 'avif' . pack('N', 0) . 'avifmif1miaf') . box('meta', pack('N', 0) . $meta) . box('mdat', str_repeat("\0", 64));
    echo json_encode(getimagesizefromstring($image)), "\n";
}

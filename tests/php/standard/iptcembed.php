<?php
// Texts in a picture.
$file = tempnam(sys_get_temp_dir(), 'iptc');
$segment = fn($marker, $data) => "\xff" . chr($marker) . pack('n', strlen($data) + 2) . $data;
$start = "\xff\xd8" . $segment(0xe0, "JFIF\0\1\1\0\0\1\0\1\0\0");
$scan = "\xff\xda\0\x08\1\1\0\0\x3f\0" . "scan\xff\xd9";
foreach ([
    $start . $segment(0xfe, 'comment') . $scan,
    $start . $segment(0xe1, 'Exif') . $scan,
    $start . $segment(0xed, 'old') . $scan,
    "\xff\xd8\xff" . $segment(0xe1, 'Exif') . $scan,
    $start,
    'no picture',
    "\xff\xd8",
    "\xff\xd8\xff\xe0\0\0",
] as $image) {
    file_put_contents($file, $image);
    foreach (["\x1c\x02\x78\0\3abc", ''] as $data) {
        $out = iptcembed($data, $file);
        echo is_string($out) ? bin2hex($out) : json_encode($out), "\n";
    }
    ob_start();
    $result = iptcembed('abc', $file, 2);
    echo "\n", json_encode([$result, bin2hex(rtrim(ob_get_clean(), "\n"))]), "\n";
}
unlink($file);
var_dump(@iptcembed('x', $file));

<?php
// Images made here: directories in both orders of bytes, all formats of values, thumbnails, and what is wrong with damaged ones.
const SIZES = [1 => 1, 2 => 1, 3 => 2, 4 => 4, 5 => 8, 6 => 1, 7 => 1, 8 => 2, 9 => 4, 10 => 8, 11 => 4, 12 => 8];

/** A TIFF of directories: lists of [tag, format, values]. Subdirectories are lists again. */
function tiff(array $directory, bool $big, ?array $thumbnail = null): string
{
    [$short, $long] = $big ? ['n', 'N'] : ['v', 'V'];
    $out = ($big ? 'MM' : 'II') . pack($short, 42) . pack($long, 8);
    $write = function (array $entries, int $at, int $next) use (&$write, $short, $long, $big): string {
        $head = pack($short, count($entries));
        $behind = '';
        $place = $at + 2 + 12 * count($entries) + 4;
        foreach ($entries as [$tag, $format, $values]) {
            if ($format === 'sub') {
                $head .= pack($short, $tag) . pack($short, 4) . pack($long, 1) . pack($long, $place + strlen($behind));
                $behind .= $write($values, $place + strlen($behind), 0);
                continue;
            }
            $data = '';
            foreach (is_string($values) ? [$values] : $values as $value) {
                $data .= match ($format) {
                    1, 6 => pack('C', $value & 255),
                    2, 7 => $value,
                    3, 8 => pack($short, $value & 0xffff),
                    4, 9 => pack($long, $value & 0xffffffff),
                    5, 10 => pack($long, $value[0] & 0xffffffff) . pack($long, $value[1] & 0xffffffff),
                    11 => pack('g', $value),
                    12 => pack('e', $value),
                };
            }
            $head .= pack($short, $tag) . pack($short, $format) . pack($long, intdiv(strlen($data), SIZES[$format]));
            if (strlen($data) <= 4) {
                $head .= str_pad($data, 4, "\0");
            } else {
                $head .= pack($long, $place + strlen($behind));
                $behind .= $data;
            }
        }
        return $head . pack($long, $next) . $behind;
    };
    $first = $write($directory, 8, 0);
    if ($thumbnail === null) {
        return $out . $first;
    }
    $next = 8 + strlen($first);
    return $out . $write($directory, 8, $next) . $write($thumbnail, $next, 0);
}

function section(int $marker, string $data): string
{
    return "\xff" . chr($marker) . pack('n', strlen($data) + 2) . $data;
}

function jpeg(string ...$sections): string
{
    return "\xff\xd8" . implode($sections) . section(0xc0, "\x08\0\x10\0\x20\x03" . str_repeat("\0", 9)) . section(0xda, 'x') . "\xff\xd9";
}

set_error_handler(function (int $level, string $message): bool {
    echo $level === E_WARNING ? 'W' : 'N', ': ', str_replace("phlox-exif-" . getmypid(), 'PID', $message), "\n";
    return true;
});

function show(string $name, string $data, ?string $sections = null, bool $arrays = true, bool $thumbnail = false): void
{
    // Warnings have the name of the file; the folder is of this run only.
    $folder = sys_get_temp_dir() . '/phlox-exif-' . getmypid();
    @mkdir($folder);
    $file = "$folder/phlox-exif-test.img";
    file_put_contents($file, $data);
    touch($file, 1000000000);
    echo "== $name\n";
    $read = exif_read_data($file, $sections, $arrays, $thumbnail);
    echo is_array($read) ? json_encode($read, JSON_PRETTY_PRINT | JSON_PARTIAL_OUTPUT_ON_ERROR | JSON_UNESCAPED_SLASHES) : 'false', "\n";
    $width = $height = $type = null;
    $small = exif_thumbnail($file, $width, $height, $type);
    echo is_string($small) ? md5($small) : 'no thumbnail', " $width $height $type\n";
    $stream = fopen('php://memory', 'w+');
    fwrite($stream, $data);
    fseek($stream, 3);
    $again = exif_read_data($stream, $sections, $arrays, $thumbnail);
    if (is_array($again)) {
        echo 'from a stream: ', json_encode($again['FILE'] ?? array_slice($again, 0, 6)), ' ', ftell($stream), "\n";
    }
    var_dump(exif_imagetype($file));
    unlink($file);
    rmdir($folder);
}

$common = [
    [0x10f, 2, "Maker\0"], [0x110, 2, "A model of the maker\0"], [0x112, 3, [6]], [0x11a, 5, [[72, 1]]], [0x11b, 5, [[72, 0]]],
    [0x128, 3, [2]], [0x132, 2, "2020:01:02 03:04:05\0"], [0x8298, 2, "Photographer\0Editor\0"],
    [0x9c9b, 1, array_map(ord(...), str_split("T\0i\0t\0l\0e\0\xfc\0\0\0"))],
    [0x8769, 'sub', [
        [0x829a, 5, [[1, 125]]], [0x829d, 5, [[28, 10]]], [0x8827, 3, [100, 200]], [0x9000, 7, '0220'], [0x9201, 10, [[-3, 2]]],
        [0x9204, 10, [[-1, 3], [1, -3]]], [0x9286, 7, "ASCII\0\0\0a comment   "], [0x920a, 5, [[50, 1]]], [0x9206, 5, [[5, 2]]],
        [0xa002, 4, [3000]], [0xa003, 4, [2000]], [0xa20e, 5, [[4000, 1]]], [0xa210, 3, [3]], [0xfff0, 12, [1.5, -2.25]],
        [0xfff1, 11, [0.5]], [0xfff2, 6, [-3]], [0xfff3, 8, [-300]], [0xfff4, 9, [-70000]], [0xffff, 1, [1]],
        [0xa005, 'sub', [[1, 2, "R98\0"], [2, 7, '0100']]],
    ]],
    [0x8825, 'sub', [[1, 2, "N\0"], [2, 5, [[48, 1], [8, 1], [1234, 100]]], [5, 1, [1]], [0x1d, 2, "2020:01:02\0"]]],
];
$small = jpeg();
foreach ([false, true] as $big) {
    $tiff = tiff($common, $big, [[0x103, 3, [6]], [0x201, 4, [0x1000]], [0x202, 4, [strlen($small)]]]);
    $with = str_pad($tiff, 0x1000, "\0") . $small;
    foreach ([true, false] as $arrays) {
        show($big ? 'Motorola' : 'Intel', jpeg(section(0xfe, 'of the image'), section(0xe1, "Exif\0\0$with")), null, $arrays, $arrays);
    }
    show('TIFF', tiff([[0x100, 3, [20]], [0x101, 4, [10]], [0x102, 3, [8, 8, 8]], [0x106, 3, [2]], ...$common], $big));
}
$image = jpeg(section(0xe1, "Exif\0\0" . tiff($common, true)));
foreach (['IFD0', 'GPS, EXIF', 'THUMBNAIL', 'nothing', 'COMMENT', 'APP12', ''] as $sections) {
    $file = tempnam(sys_get_temp_dir(), 'exif');
    file_put_contents($file, $image);
    $read = exif_read_data($file, $sections, true);
    echo "'$sections': ", is_array($read) ? implode(' ', array_keys($read)) : 'false', "\n";
    unlink($file);
}
show('APP12 and comments', jpeg(section(0xec, "Company\0Info\0"), section(0xfe, "one\0"), section(0xfe, 'two'), section(0xfe, 'x') . 'yy'));
show('no section', jpeg());
$comments = ["UNICODE\0a\0\xfc\0", "UNICODE\0\xfe\xff\0a\0b", "JIS\0\0\0\0\0a\$b", "\0\0\0\0\0\0\0\0undefined", 'short', ''];
foreach ($comments as $comment) {
    show(bin2hex($comment), jpeg(section(0xe1, "Exif\0\0" . tiff([[0x9286, 7, $comment]], false))), 'COMPUTED');
}
$good = tiff($common, false);
$bad = [
    'no order' => 'XX' . substr($good, 2), 'no number' => substr_replace($good, 'x', 2, 1), 'offset too large' => substr_replace($good, "\xff\xff", 4, 2),
    'offset too small' => substr_replace($good, "\x01", 4, 1), 'too many entries' => substr_replace($good, "\xff\xff", 8, 2),
    'unknown format' => substr_replace($good, "\x50", 12, 1), 'too many values' => substr_replace($good, "\xff\xff\xff\xff", 14, 4),
    'value outside' => substr_replace($good, "\xff\xff\xff\x7f", 18, 4), 'cut' => substr($good, 0, 60), 'nothing' => '',
];
foreach ($bad as $name => $tiff) {
    show("$name in a JPEG", jpeg(section(0xe1, "Exif\0\0$tiff")), 'IFD0');
    show("$name in a TIFF", $tiff, 'IFD0');
}
// A directory that points to itself.
show('loop', tiff([[0x8769, 4, [8]], [0x14a, 4, [8]]], false), 'IFD0');
show('cut section', substr($image, 0, 100));
show('wrong length', substr_replace($image, "\0\1", 4, 2));
foreach ([0x100, 0x8769, 0x9286, 0xffff, 0xfffe, -1, 70000] as $tag) {
    var_dump(exif_tagname($tag));
}
foreach (['', "a\0b"] as $path) {
    try {
        exif_read_data($path);
    } catch (ValueError $error) {
        echo $error->getMessage(), "\n";
    }
}
var_dump(exif_read_data('/nowhere.jpg'), exif_imagetype('/nowhere.jpg'), exif_read_data(__DIR__));
foreach (['encode_unicode' => 'UTF-8', 'decode_unicode_intel' => 'unknown', 'encode_jis' => 'EUC-JP', 'decode_jis_motorola' => ''] as $name => $value) {
    var_dump(ini_set("exif.$name", $value), ini_get("exif.$name"));
}
show('UTF-8', jpeg(section(0xe1, "Exif\0\0" . tiff([[0x9286, 7, $comments[0]], $common[8]], false))), 'IFD0');

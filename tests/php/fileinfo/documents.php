<?php
// Compound documents: properties, names of entries, and damage.
function property(int $type, string $value): string { return pack('V', $type) . $value; }
function text(string $text): string { return property(0x1e, pack('V', strlen($text) + 1) . str_pad("$text\0", (strlen($text) + 4) & ~3, "\0")); }
function summary(array $properties, int $system = 2): string {
    [$table, $data] = ['', ''];
    foreach ($properties as $id => $property) {
        $table .= pack('VV', $id, 8 + 8 * count($properties) + strlen($data));
        $data .= $property;
    }
    $section = pack('VV', 8 + strlen($table . $data), count($properties)) . $table . $data;
    return pack('vvvv', 0xfffe, 0, 0x0105, $system) . str_repeat("\0", 16) . pack('V', 1) . str_repeat("\0", 16) . pack('V', 48) . $section;
}
function entry(string $name, int $type, int $first, int $size, string $class = ''): string {
    $wide = implode(array_map(fn($letter) => "$letter\0", str_split($name)));
    return str_pad($wide, 64, "\0") . pack('vCCVVV', strlen($wide) + 2, $type, 1, -1, -1, -1) . str_pad($class, 16, "\0") . str_repeat("\0", 20) . pack('VVV', $first, $size, 0);
}
function document(array $streams, string $class = ''): string {
    $directory = entry('Root Entry', 5, -2, 0, $class);
    [$sectors, $data] = [[-3, -2], ''];
    foreach ($streams as $name => $stream) {
        $stream = str_pad($stream, max(512, (strlen($stream) + 511) & ~511), "\0");
        $directory .= entry($name, 2, count($sectors), strlen($stream));
        for ($left = strlen($stream) / 512; $left > 1; $left--) $sectors[] = count($sectors) + 1;
        $sectors[] = -2;
        $data .= $stream;
    }
    $header = "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" . str_repeat("\0", 16) . pack('vvvvv', 0x3e, 3, 0xfffe, 9, 6) . str_repeat("\0", 10) . pack('VV', 1, 1) . str_repeat("\0", 4) . pack('VVVVV', 0, -2, 0, -2, 0) . pack('V', 0) . str_repeat(pack('V', -1), 108);
    return $header . str_pad(pack('V*', ...$sectors), 512, "\xff") . str_pad($directory, 512, "\0") . $data;
}
$time = fn(int $seconds) => property(0x40, pack('P', ($seconds + 11644473600) * 10000000));
$all = [1 => property(2, pack('vv', 1252, 0)), 2 => text('A title'), 4 => text('An author'), 0x0a => property(0x40, pack('P', 754 * 10000000)), 0x0c => $time(1000000000), 0x0d => $time(1700000000), 0x0e => property(3, pack('V', 7)), 0x12 => text('Microsoft Excel'), 0x13 => property(0x13, pack('V', 3))];
$samples = [
    'all properties' => document(["\5SummaryInformation" => summary($all)]),
    'of a Mac' => document(["\5SummaryInformation" => summary([2 => text('x')], 1), 'WordDocument' => 'x']),
    'of another system' => document(["\5SummaryInformation" => summary([2 => text('x')], 9)]),
    'unknown kind' => document(["\5SummaryInformation" => summary([2 => text('x'), 3 => property(0x0b, pack('V', 1)), 4 => text('y')]), 'Workbook' => 'x']),
    'wide text' => document(["\5SummaryInformation" => summary([2 => property(0x1f, pack('V', 3) . "a\0b\0\0\0\0\0"), 0x12 => text('Crystal Reports')])]),
    'floats' => document(["\5SummaryInformation" => summary([5 => property(4, pack('g', 1.5)), 6 => property(5, pack('e', -2.25))])]),
    'nothing known' => document(['Something' => 'x']),
    'word' => document(['WordDocument' => 'x']), 'message' => document(['__properties_version1.0' => 'x']), 'encrypted' => document(['EncryptedPackage' => 'x']),
    'installer' => document(["\5SummaryInformation" => summary([2 => text('x')])], "\x84\x10\x0c\0\0\0\0\0\xc0\0\0\0\0\0\0\x46"),
    'hwp' => document(['FileHeader' => 'HWP Document File']),
    'second summary' => document(["\5DocumentSummaryInformation" => summary([2 => text('x')])]),
    'cut header' => substr(document([]), 0, 400), 'cut table' => substr(document([]), 0, 600), 'cut directory' => substr(document([]), 0, 1100), 'cut stream' => substr(document(["\5SummaryInformation" => summary($all)]), 0, 1600),
    'loop' => substr_replace(document(['WordDocument' => 'x']), pack('V*', -3, 1), 512, 8), 'large sectors' => substr_replace(document([]), pack('v', 21), 30, 2),
    'bad length' => document(["\5SummaryInformation" => substr_replace(summary($all), "\xff\xff\xff\x0f", 48, 4), 'Book' => 'x']),
];
$finfo = new finfo();
foreach ($samples as $name => $data) {
    echo "$name:";
    foreach ([FILEINFO_NONE, FILEINFO_MIME, FILEINFO_MIME_ENCODING, FILEINFO_EXTENSION] as $flag) echo ' | ', $finfo->buffer($data, $flag);
    echo "\n";
}

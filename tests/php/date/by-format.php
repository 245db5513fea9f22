<?php
// createFromFormat and date_parse_from_format, with their complaints.
date_default_timezone_set('UTC');
$cases = [
    ['Y-m-d H:i:s', '2009-02-15 15:16:17'], ['!d/m/Y', '15/08/2009'], ['Y-m-d|', '2009-02-15'], ['D, d M y', 'Sun, 15 Feb 09'],
    ['j-n-Y G:i a', '5-7-2010 3:05 pm'], ['U', '1234567890'], ['Y z', '2024 60'], ['Y-m-d H:i:s.u', '2024-01-01 00:00:00.123'],
    ['H\h i\m', '23h 15m'], ['Y-m-d e', '2024-06-01 Asia/Tokyo'], ['Y-m-d T', '2024-06-01 EST'], ['Y-m-d P', '2024-06-01 +02:00'],
    ['Y-m-d+', '2024-06-01 and more'], ['i', '5'], ['Y-m-d', '2024-06'], ['Y-m-d', '2024-06-01x'], ['H:i', '25:10'], ['h', '13'],
    ['M', 'Foo'], ['A', 'am'], ['Y-m-d', '2023-02-29'], ['Y#m#d', '2024/05.06'], ['Y-*-d', '2024-xyz-07'], ['X-m-d', '-0044-03-15'],
];
foreach ($cases as [$format, $text]) {
    $parsed = date_parse_from_format($format, $text);
    $date = DateTimeImmutable::createFromFormat('!' . $format, $text);
    echo "$format | $text: ", $date ? $date->format('x-m-d H:i:s.u T e') : 'false', ' ';
    echo json_encode([$parsed['warnings'], $parsed['errors']]), "\n";
    if (!$date) {
        echo '    ', json_encode(DateTime::getLastErrors()), "\n";
    }
}

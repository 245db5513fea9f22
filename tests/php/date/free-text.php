<?php
// strtotime and date_parse: the forms of free text, from a fixed base.
date_default_timezone_set('Europe/Berlin');
$base = 1709210096; // Thursday, 2024-02-29 13:34:56
$texts = [
    'now', 'today', 'midnight', 'noon', 'tomorrow noon', 'yesterday 14:00', '+1 week 2 days 4 hours', '2 weeks ago',
    'next thursday', 'last monday', 'this week', 'monday next week', 'sunday last week', 'first day of next month',
    'last day of february 2023 noon', 'first monday of january 2025', 'last friday of this month', 'third tuesday of march',
    '+3 weekdays', '-7 weekdays', '10 September 2000', '10-Sep-00', 'Sep 2000', '2000 September', 'September 10th, 2000 5pm',
    '10/Oct/2000:13:55:36 -0700', '2008-W28-3', '2008W28', '2008.197', '2008-07-01T22:35:17.02', '20080701T22:38:07',
    '22:30:01.5', '4 am', '4:08:37 p.m.', 't0222', 'T12:30', '@1215282385', '@-100.5', '1814-MAY-17', '30-6-08', '30.6.08', '22.12.1978',
    '5/17', '05/17/2006', '2008/6/30', '2008-6', '+1 year -1 month', '2024-01-01 12:00 America/New_York', '2024-07-01 12:00 EST',
    '12:00 UTC', '12:00 +05:30', 'back of 7pm', 'front of 5am', 'eighth day', '1 fortnight ago', '99999999999 seconds',
    'not a date', '2024-13-45', '10:00 11:00',
];
foreach ($texts as $text) {
    $time = strtotime($text, $base);
    echo str_pad($text, 36), $time === false ? '-' : date('D Y-m-d H:i:s T', $time), "\n";
}
foreach (['2024-02-30 25:00', 'Feb 30', '12:61', 'x', '2024-01-01 00:00 Mars/Olympus', 'first sat of July 2008', '+2 days UTC'] as $text) {
    echo $text, ' ', json_encode(date_parse($text)), "\n";
}

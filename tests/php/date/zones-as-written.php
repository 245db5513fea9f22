<?php
// Zones keep the names that they were asked for by; what the script chose stays whatever the setting becomes.
date_default_timezone_set('europe/berlin');
echo date_default_timezone_get(), date(' e T'), ' ', (new DateTimeZone('america/NEW_york'))->getName(), "\n";
var_dump(new DateTimeZone('Europe/Berlin') == new DateTimeZone('EUROPE/berlin'));
ini_set('date.timezone', 'ASIA/tokyo');
echo ini_get('date.timezone'), ' ', date_default_timezone_get(), "\n";
ini_set('date.timezone', 'nowhere');
echo json_encode(DateTimeImmutable::createFromFormat('Y-m-d H:i e', '2024-01-01 00:00 europe/rome')), "\n";

// A format ends at a NUL, and intervals are written with 32 bits.
var_dump(DateTime::createFromFormat("Y-m-d\0nothing", '2024-01-02')->format('Y-m-d'));
$interval = new DateInterval('P99999999999DT1S');
echo $interval->format('%d %D %s'), ' ', $interval->d, "\n";

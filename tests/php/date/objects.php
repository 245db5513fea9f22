<?php
// DateTime, DateTimeImmutable, DateInterval, DatePeriod, DateTimeZone.
date_default_timezone_set('UTC');
$date = new DateTime('2024-03-30 12:00', new DateTimeZone('Europe/Berlin'));
var_dump($date, json_encode($date), serialize($date));
echo $date->modify('+1 day')->format(DATE_ATOM), ' ', $date->getOffset(), "\n";
echo $date->add(new DateInterval('P1M2DT3H'))->format('c'), "\n";
echo $date->sub(DateInterval::createFromDateString('3 days'))->format('r'), "\n";
$a = new DateTimeImmutable('2000-01-31 00:00');
$b = $a->modify('last day of next month')->setTime(25, 61, 61);
echo $a->format('Y-m-d'), ' ', $b->format('Y-m-d H:i:s'), ' ', $a <=> $b, ' ', $a == clone $a ? 'same' : 'other', "\n";
foreach ([['2000-01-01', '2000-03-01'], ['2024-02-29 23:59', '2023-02-28'], ['2011-03-12 12:00 America/New_York', '2011-03-13 12:00 America/New_York'],
    ['2024-01-31', '2024-03-01 01:00 +02:00']] as [$from, $to]) {
    $diff = (new DateTime($from))->diff(new DateTime($to));
    echo $diff->format('%R %yy %mm %dd %hh %im %ss %a days %F'), ' ', $diff->days, "\n";
}
var_dump(new DateInterval('P1Y2M10DT2H30M'));
$interval = DateInterval::createFromDateString('next weekday');
var_dump($interval, $interval->d);
foreach (new DatePeriod($a, new DateInterval('P1W'), 3) as $key => $day) echo $key, $day->format(' D d M'), "\n";
foreach (new DatePeriod($a, new DateInterval('P1W'), new DateTime('2000-02-21'), DatePeriod::EXCLUDE_START_DATE) as $key => $day) echo $key, $day->format(' D d M'), "\n";
foreach (DatePeriod::createFromISO8601String('R2/2012-07-01T00:00:00Z/P7D') as $day) echo $day->format('Y-m-d '), "\n";
$zone = new DateTimeZone('Europe/London');
foreach ($zone->getTransitions(1700000000, 1730000000) as $row) echo json_encode($row), "\n";
echo json_encode($zone->getLocation()), ' ', timezone_name_from_abbr('CET'), ' ', timezone_name_from_abbr('', 3600, 0), "\n";
foreach (['+01:30', 'EST', 'Europe/Paris', 'utc'] as $name) echo json_encode(new DateTimeZone($name)), "\n";
foreach (['new DateTime("foo")', 'new DateTimeZone("Mars")', 'new DateInterval("P")', '(new DateTimeImmutable)->modify("bar")',
    'new DatePeriod("x")', 'DateTime::createFromTimestamp(NAN)', '(new DateTime)->setMicrosecond(-1)'] as $code) {
    try { eval("$code;"); } catch (Throwable $e) { echo get_class($e), ': ', $e->getMessage(), "\n"; }
}
class Own extends DateTimeImmutable { public function __construct() {} }
try { (new Own)->format('Y'); } catch (Error $e) { echo get_class($e), ': ', $e->getMessage(), "\n"; }
var_dump(unserialize(serialize($a)) == $a, date_sun_info(1709210096, 52.5, 13.4)['sunrise'], date('jS z t L B N o W', 951782400));

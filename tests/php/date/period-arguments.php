<?php
// Arguments of DatePeriod are converted as declared ones would be, one form after the other; what a period shows while it is
// walked over; dates and zones whose constructor has not run.

function show(callable $body): void {
    try {
        var_dump($body());
    } catch (Throwable $e) {
        echo get_class($e), ': ', $e->getMessage(), "\n";
    }
}

$start = new DateTime('2020-01-01');
$day = new DateInterval('P1D');
show(fn() => new DatePeriod(null));
show(fn() => new DatePeriod(5));
show(fn() => new DatePeriod(1.5));
show(fn() => new DatePeriod([]));
show(fn() => new DatePeriod(true, 1));
show(fn() => (new DatePeriod('R2/2012-07-01T00:00:00Z/P7D', null))->recurrences);
show(fn() => (new DatePeriod('R2/2012-07-01T00:00:00Z/P7D', "x"))->recurrences);
show(fn() => (new DatePeriod('R2/2012-07-01T00:00:00Z/P7D', "1"))->include_start_date);
show(fn() => new DatePeriod($start, $day, null));
show(fn() => (new DatePeriod($start, $day, "3"))->recurrences);
show(fn() => (new DatePeriod($start, $day, 3.5))->recurrences);
show(fn() => (new DatePeriod($start, $day, 3.0, null))->recurrences);
show(fn() => (new DatePeriod($start, $day, "x"))->recurrences);
show(fn() => (new DatePeriod($start, $day, 1, "x"))->recurrences);

foreach ([0, DatePeriod::EXCLUDE_START_DATE] as $options) {
    $period = new DatePeriod($start, $day, 2, $options);
    foreach ($period as $key => $date) {
        echo $key, $date->format(' d '), $period->current?->format('d'), "\n";
    }
    echo $period->current->format('d'), "\n";
}

class Zone extends DateTimeZone { function __construct() {} }
class Period extends DatePeriod { function __construct() {} }
show(fn() => date_create("2005-07-14", new Zone));
show(fn() => new DateTimeImmutable("2005-07-14", new Zone));
show(fn() => date_create_from_format("Y", "2005", new Zone));
show(fn() => (clone $start)->setTimezone(new Zone)->format('c e'));
try {
    foreach (new Period as $date) {}
} catch (DateObjectError $e) {
    echo $e->getMessage(), "\n", $e->getTraceAsString(), "\n";
}

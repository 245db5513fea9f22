<?php
foreach (['monday next week','next monday','last day of next month','first monday of next month','3 weekdays','1 month','last day of','saturday this week','-2 days','yesterday','noon','+1 week 2 days'] as $t) {
  foreach (['DateTime','DateTimeImmutable'] as $c) foreach (['add','sub'] as $m) {
  $d = new $c('2021-03-31 13:14:15.25');
  try { $i = @DateInterval::createFromDateString($t); if (!$i) {echo "no\n"; continue;} 
  $r = $d->$m($i); echo "$t $c $m ", $r->format('c u'), "\n"; } catch (Exception $e) { echo get_class($e), ': ', $e->getMessage(), "\n"; }
  }
  $d = new DateTime('2021-03-31');
  try { var_dump(@date_sub($d, @date_interval_create_from_date_string($t))->format('c')); var_dump(date_add($d, @date_interval_create_from_date_string($t))->format('c')); } catch (Throwable $e) { echo get_class($e), $e->getMessage(), "\n"; }
}
$i = new DateInterval('P1M'); $i->invert = 1; 
foreach (['last day of next month','first day of next month', 'next monday','third friday of next month','2 weekdays','1 month ago','-1 day','last thursday of next month'] as $t) {
 foreach ([0,1] as $inv) {
 $i = DateInterval::createFromDateString($t); $i->invert = $inv;
 foreach (['DateTime','DateTimeImmutable'] as $c) foreach ([0,1,2,3] as $o) {
  $p = new DatePeriod(new $c('2021-01-31'), $i, 4, $o);
  echo "$t $inv $o: "; foreach ($p as $k => $d) { echo $k, '=', $d->format('Y-m-d'), ' '; } echo "\n";
 }
 $p = new DatePeriod(new DateTime('2021-01-31 10:00'), $i, new DateTime('2021-06-30 12:00'), 2);
  echo "$t : "; $n=0; foreach ($p as $k => $d) { echo $k, '=', $d->format('Y-m-d'), ' '; if ($n++>10) break; } echo "\n";
 }
}
foreach (['PT36H','P1W','P1M1DT2H','P1Y'] as $t) { $i = new DateInterval($t); $i->f = 0.5; foreach (new DatePeriod(new DateTime('2021-01-31'), $i, 3) as $d) echo $d->format('c u '), "\n"; }
$diff = (new DateTime('2021-01-01'))->diff(new DateTime('2021-02-03')); foreach (new DatePeriod(new DateTime('2021-01-31'), $diff, 3) as $d) echo $d->format('c u '), "\n";
$diff = (new DateTime('2021-02-03'))->diff(new DateTime('2021-01-01')); foreach (new DatePeriod(new DateTime('2021-01-31'), $diff, 3) as $d) echo $d->format('c u '), "\n";

<?php
set_error_handler(function($n,$m){ echo "[$n: $m]\n"; return true; });
function t($f) { try { var_dump($f()); } catch (Throwable $e) { echo get_class($e), ': ', $e->getMessage(), "\n"; } }
$p = new DatePeriod(new DateTime('2021-01-01'), new DateInterval('P1D'), 3);
t(fn() => $p->start = 1); t(fn() => $p->recurrences++); t(fn() => $p->recurrences += 1); t(function() use ($p) { $r = &$p->start; });
t(function() use ($p) { unset($p->start); }); t(function() use ($p) { $p->interval->d = 5; }); t(function() use ($p) { unset($p->interval->d); });
t(fn() => $p->start->modify('+1 day')->format('c')); t(fn() => $p->start->format('c')); t(fn() => $p->foo = 4); t(fn() => isset($p->start, $p->recurrences)); t(fn() => isset($p->end)); t(fn() => empty($p->end));
t(function() use ($p) { $p->start[1] = 5; }); t(function() use ($p) { $x = 1; $p->start = &$x; });
t(fn() => $p->end ?? 'none'); t(function() use ($p) { foreach ($p as &$d) {} });
foreach ($p as $a) { echo $a->format('d'), ':'; foreach ($p as $b) echo $b->format('d'), ' '; echo $p->current->format('d'), "\n"; }
$i1 = $p->getIterator(); $i2 = $p->getIterator(); $i1->rewind(); $i1->next(); $i2->rewind(); echo $i1->current()->format('d'), $i1->key(), $i2->key(), "\n"; $i2->next(); $i2->next(); echo $i1->current()->format('d'), "\n";
$c = clone $p; t(fn() => $c == $p); t(fn() => $c->current == $p->current); t(fn() => $c->current->format('d'));
t(fn() => new DatePeriod(new DateTime('2021-01-01'), new DateInterval('P1D'), 3) == new DatePeriod(new DateTime('2021-01-01'), new DateInterval('P1D'), 3));
t(fn() => new DatePeriod(new DateTime('2021-01-01'), new DateInterval('P1D'), 3) == new DatePeriod(new DateTime('2021-01-02'), new DateInterval('P1D'), 3));
t(fn() => new DatePeriod(new DateTime('2021-01-01'), new DateInterval('P1D'), 3) <=> new DatePeriod(new DateTime('2021-01-02'), new DateInterval('P1D'), 3));
$s = serialize($p); echo $s, "\n"; $u = unserialize($s); var_dump($u);
class My extends DatePeriod { public $x = 1; protected $y = 2; private $z = 3; public $list; function getIterator(): Iterator { echo "gi\n"; return parent::getIterator(); } function z() { return $this->z; } }
$m = new My(new DateTimeImmutable('2021-01-01'), DateInterval::createFromDateString('2 days'), new DateTimeImmutable('2021-01-07'), DatePeriod::EXCLUDE_START_DATE|DatePeriod::INCLUDE_END_DATE);
foreach ($m as $k => $d) echo $k, $d->format('d '); echo "\n"; echo "\n";
$m->x = 9; $q = unserialize(serialize($m)); var_dump($q->x, $q->z(), $q == $m);
var_dump(iterator_count($m), count(iterator_to_array($m, false)));
$m2 = My::createFromISO8601String('R3/2021-01-01T00:00:00Z/P1D'); echo get_class($m2), "\n"; foreach ($m2 as $d) echo $d->format('d '), get_class($d); echo "\n";
class U extends DatePeriod { function __construct() {} }
t(fn() => foreach_((new U))); t(fn() => (new U)->getStartDate()); t(fn() => (new U)->start); t(fn() => (new U)->getDateInterval()); t(fn() => (new U)->getEndDate()); t(fn() => (new U)->getRecurrences()); t(fn() => serialize(new U)); t(fn() => clone new U);
function foreach_($x) { foreach ($x as $y) echo 1; }
t(fn() => (function() { $u = new U; $u->start = 4; })());
$i = $p->getDateInterval(); $i->d = 10; echo $p->getDateInterval()->d, $p->interval->d, "\n";
var_dump(get_object_vars($p) == (array)$p, array_keys((array)$p));
foreach ((new ReflectionClass('DatePeriod'))->getProperties() as $pr) echo $pr, $pr->isReadOnly() ? 'ro' : '';
$li = new LimitIterator(new IteratorIterator($p), 1, 2); foreach ($li as $k => $d) echo $k, $d->format('d '); 
$gen = (function() use ($p) { yield from $p; })(); foreach ($gen as $k => $d) echo $k, $d->format('d ');
$arr = [...$p]; [$a, $b] = $arr; echo $a->format('d'), $b->format('d'), "\n";
echo json_encode($p), "\n"; var_export($p);

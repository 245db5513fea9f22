<?php
// isset of a property of an interval that __isset says is there reads it.
class M extends DateInterval { public $log = []; function __isset($n) { echo "isset($n) "; return true; } function __get($n) { echo "get($n) "; return 'magic'; } function __set($n, $v) { echo "set($n) "; } function __unset($n) { echo "unset($n) "; } }
$m = new M('P1Y2M3DT4H5M6S');
foreach (['y','m','d','h','i','s','f','invert','days','from_string','nope','log'] as $n) { echo $n, ': '; var_dump(isset($m->$n)); var_dump(empty($m->$n)); var_dump($m->$n ?? 'def'); var_dump($m->$n); }
$m->y = 5; $m->zzz = 1; unset($m->qqq); unset($m->y); var_dump(isset($m->y)); 
class P2 extends DatePeriod { function __isset($n) { echo "isset($n) "; return true; } function __get($n) { echo "get($n) "; return 'magic'; } }
$p = new P2(new DateTime('2020-01-01'), new DateInterval('P1D'), 3);
foreach (['start','current','end','interval','recurrences','include_start_date','include_end_date','nope'] as $n) { echo $n, ': '; var_dump(isset($p->$n), empty($p->$n)); }
class Z extends DateTimeZone { function __isset($n) { echo "isset($n) "; return true; } function __get($n) { echo "get($n) "; return 'magic'; } } $z = new Z('UTC'); var_dump(isset($z->timezone), isset($z->timezone_type), $z->timezone ?? 1);
class DT extends DateTime { function __isset($n) { echo "isset($n) "; return true; } function __get($n) { echo "get($n) "; return 'magic'; } } $z = new DT('2020-01-01'); var_dump(isset($z->date), isset($z->timezone), $z->date ?? 1);
class N extends DateInterval { function __isset($n) { echo "isset($n) "; return $n !== 'no'; } function __get($n) { echo "get($n) "; return $n === 'null' ? null : 0; } }
$n = new N('P1D'); var_dump(isset($n->no), isset($n->null), isset($n->zero), empty($n->zero), isset($n->zero->inner), $n->null ?? 'default');

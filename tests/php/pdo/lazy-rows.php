<?php
// The row of PDO::FETCH_LAZY is one object that shows where its statement is.
$d = new PDO('sqlite::memory:');
$d->exec('create table t(a,b); insert into t values(1,"x"),(2,"y"),(3,"z")');
$s = $d->query('select a,b from t');
$r = $s->fetch(PDO::FETCH_LAZY);
echo $r->a, $r['b'], $r[0], isset($r->c) ? 'c' : '-', "\n";
$r2 = $s->fetch(PDO::FETCH_LAZY);
echo $r->a, $r2->a, $r === $r2 ? 'same' : 'other', "\n";
foreach ([fn () => $r->a = 5, function () use ($r) { unset($r->a); }] as $f) {
    try {
        $f();
    } catch (Error $e) {
        echo $e->getMessage(), "\n";
    }
}
$s->fetch(PDO::FETCH_NUM);
echo $r->a, $r2->b, $r->queryString, "\n";
$s->closeCursor();
var_dump($r->a, empty($r->b), $s->fetch(PDO::FETCH_LAZY));
foreach ($d->query('select a,b from t', PDO::FETCH_LAZY) as $row) {
    echo $row->a, $row->b, ' ';
}
echo "\n";

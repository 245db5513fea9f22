<?php
// A statement that is iterated gives a row at a time through an iterator of its own, in the mode that it has.
$pdo = new PDO('sqlite::memory:');
$pdo->exec("create table t (a, b); insert into t values (1, 'x'), (2, 'y')");

$rows = $pdo->query('select * from t', PDO::FETCH_NUM)->getIterator();
echo get_class($rows), "\n";
while ($rows->valid()) {
    echo $rows->key(), json_encode($rows->current()), "\n";
    $rows->next();
}
var_dump($rows->key(), $rows->current());
foreach ([fn() => $rows->rewind(), fn() => (new PDOStatement)->getIterator()] as $refused) {
    try {
        $refused();
    } catch (Error $error) {
        echo $error->getMessage(), "\n";
    }
}
try {
    foreach ($pdo->query('select a from t') as &$row) {
    }
} catch (Error $error) {
    echo $error->getMessage(), "\n";
}

// What goes wrong meanwhile is told of whoever iterates.
$pdo->setAttribute(PDO::ATTR_ERRMODE, PDO::ERRMODE_WARNING);
$pdo->setAttribute(PDO::ATTR_DEFAULT_FETCH_MODE, PDO::FETCH_INTO);
foreach ($pdo->query('select a from t') as $row) {
    echo 'none comes';
}
function walk(PDO $pdo) {
    foreach ($pdo->query('select a from t') as $row) {
        echo 'none comes';
    }
}
walk($pdo);
var_dump(iterator_to_array($pdo->query('select a from t')));
var_dump($pdo->query('select a from t')->fetch());

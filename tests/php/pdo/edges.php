<?php
// What PDO says of wrong modes, names and attributes; what its statements show and count.

function show(callable $body): void {
    try {
        var_dump($body());
    } catch (Throwable $e) {
        echo get_class($e), ': ', $e->getMessage(), "\n";
    }
}

$pdo = new PDO('sqlite::memory:');
show(fn() => $pdo->exec('nope'));
show(fn() => $pdo->getAttribute(99));
show(fn() => $pdo->errorInfo());
show(fn() => $pdo->setAttribute(PDO::ATTR_ERRMODE, 9));
show(fn() => $pdo->setAttribute(PDO::ATTR_CASE, 9));
show(fn() => $pdo->quote("a\0b"));
$pdo->query('select 1');
show(fn() => $pdo->prepare('select 1', [PDO::ATTR_CURSOR => PDO::CURSOR_SCROLL]));

$pdo->exec('create table t (id integer primary key, n text)');
$pdo->exec("insert into t values (1, 'a'), (2, 'b'), (3, null)");
foreach ([PDO::FETCH_GROUP, PDO::FETCH_UNIQUE, PDO::FETCH_CLASSTYPE, PDO::FETCH_PROPS_LATE] as $mode) {
    show(fn() => json_encode($pdo->query('select id, n from t')->fetch($mode)));
}
show(fn() => $pdo->query('select id, n from t')->setFetchMode(PDO::FETCH_FUNC));
show(fn() => $pdo->query('select id, n from t')->fetchAll(PDO::FETCH_CLASS, 'stdClass', [1]));
show(fn() => $pdo->query('select id, n from t')->fetchObject('stdClass', [1]));

$statement = $pdo->prepare('select * from t where id = :id');
$statement->bindValue(':id', 1, PDO::PARAM_INT);
$statement->debugDumpParams();
show(fn() => $statement->bindColumn('nope', $column));
show(fn() => $statement->execute());
$statement->debugDumpParams();
show(fn() => $statement->bindColumn('nope', $column));
show(fn() => $statement->bindColumn('n', $column));
show(fn() => $statement->getColumnMeta(9));
show(fn() => $statement->setAttribute(99, 1));
show(fn() => $statement->errorInfo());
show(fn() => $statement->queryString = 'x');
show(fn() => $statement->queryString);
$all = $pdo->prepare('select * from t where id > ?');
$all->execute([9]);
show(fn() => $all->rowCount());
$all->execute([0]);
show(fn() => $all->rowCount());

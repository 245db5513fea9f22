<?php
// Of a column that does not exist, the driver tells what SQLite said last.
$pdo = new PDO('sqlite::memory:');
$pdo->exec('create table t(a int, c text); insert into t values(1, 2), (3, 4)');
function meta(PDOStatement $statement, int $column): void
{
    try {
        echo json_encode($statement->getColumnMeta($column)['native_type'] ?? null), "\n";
    } catch (Throwable $e) {
        echo get_class($e), ': ', $e->getMessage(), ' ', json_encode($statement->errorInfo()), "\n";
    }
}
$statement = $pdo->query('select a, c from t');
meta($statement, 7);
$statement->fetch();
meta($statement, 7);
meta($statement, 0);
$statement->fetchAll();
meta($statement, 7);
meta($statement, 0);
meta($statement, 7);
$statement = $pdo->prepare('select a from t where a = 9');
meta($statement, 7);
$statement->execute();
meta($statement, 7);
$statement->fetch();
meta($statement, 0);
meta($statement, 7);
$statement = $pdo->prepare('insert into t values(1, 2)');
meta($statement, 0);
$statement->execute();
meta($statement, 1);

<?php
// What rows are grouped by, the numbers of the columns that are left, and what binding does to values.
$pdo = new PDO('sqlite::memory:');
$pdo->exec("create table t (a, b, c); insert into t values (1, 'x', 5), (2, 'y', 6)");
class Plain
{
    public $b;
}
foreach ([
    [PDO::FETCH_GROUP],
    [PDO::FETCH_GROUP | PDO::FETCH_NUM],
    [PDO::FETCH_UNIQUE | PDO::FETCH_BOTH],
    [PDO::FETCH_GROUP | PDO::FETCH_COLUMN],
    [PDO::FETCH_GROUP | PDO::FETCH_COLUMN, 2],
    [PDO::FETCH_GROUP | PDO::FETCH_COLUMN, 0],
    [PDO::FETCH_UNIQUE | PDO::FETCH_COLUMN, 2],
] as $arguments) {
    echo json_encode($pdo->query('select a, b, c from t')->fetchAll(...$arguments)), "\n";
}
$named = $pdo->query("select 'Plain', a, b from t")->fetchAll(PDO::FETCH_CLASS | PDO::FETCH_CLASSTYPE | PDO::FETCH_UNIQUE);
echo get_class($named[1]), json_encode($named), "\n";

foreach ([fn() => $pdo->query('select 1', PDO::FETCH_FUNC), fn() => $pdo->query('select 1')->setFetchMode(PDO::FETCH_FUNC)] as $refused) {
    try {
        $refused();
    } catch (ValueError $error) {
        echo $error->getMessage(), "\n";
    }
}

$statement = $pdo->prepare('select :a, :b');
$statement->bindValue('a', true, PDO::PARAM_INT);
$statement->bindValue('b', 7, PDO::PARAM_BOOL);
$statement->execute();
echo json_encode($statement->fetch(PDO::FETCH_NUM)), "\n";
$variable = 7;
$statement->bindParam('a', $variable, PDO::PARAM_BOOL | PDO::PARAM_INPUT_OUTPUT, 10);
$statement->bindValue('nobody', 3);
var_dump($variable);
$statement->debugDumpParams();

$column = 5;
$statement = $pdo->query('select a from t');
$statement->bindColumn(1, $column);
var_dump($column);
$pdo->setAttribute(PDO::ATTR_ERRMODE, PDO::ERRMODE_SILENT);
var_dump($statement->bindColumn('nobody', $column));

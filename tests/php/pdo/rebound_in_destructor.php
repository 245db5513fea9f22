<?php
// What a statement holds for a parameter or a column may bind something itself when it goes.
class Dying
{
    public function __construct(private Closure $last)
    {
    }

    public function __destruct()
    {
        ($this->last)();
    }
}

function held(Closure $last): Closure
{
    $dying = new Dying($last);
    return fn (...$all) => $dying && false;
}

$pdo = new PDO('sqlite::memory:');
$statement = $pdo->prepare('select ?, 2');
$bind = fn () => $statement->bindValue(1, 'again');
$statement->bindValue(1, new Dying($bind), PDO::PARAM_LOB);
$statement->bindValue(1, 'first');
$x = new Dying($bind);
$statement->bindParam(1, $y, PDO::PARAM_LOB);
$y = $x;
unset($x, $y);
$statement->bindValue(1, 'second');
$statement->execute();
var_dump($statement->fetch(PDO::FETCH_NUM));

$column = new Dying(function () use ($statement) {
    echo "column\n";
    $statement->bindColumn(2, $GLOBALS['other']);
});
$statement->execute();
$statement->bindColumn(1, $bound);
$bound = $column;
unset($column);
$statement->fetch(PDO::FETCH_BOUND);
var_dump($bound);
$statement->execute();
$statement->fetch(PDO::FETCH_BOUND);
var_dump($other);

$base = new SQLite3(':memory:');
$prepared = $base->prepare('select ?');
$prepared->bindValue(1, new Dying(function () use ($prepared) {
    echo "value\n";
    $prepared->bindValue(1, 'again');
}), SQLITE3_BLOB);
$prepared->bindValue(1, 'first');

<?php
// Failures of SQLite3 where exceptions are asked for, and statements that were closed.
$database = new SQLite3(':memory:');
$database->enableExceptions(true);
$database->exec('create table t (a)');
function refused(callable $body): void
{
    try {
        var_dump($body());
    } catch (Throwable $error) {
        echo get_class($error), ': ', $error->getMessage(), "\n";
    }
}
refused(fn() => $database->openBlob('t', 'a', 1));
$statement = $database->prepare('select :a');
$statement->bindValue(9, 1);
refused(fn() => $statement->execute());
$statement->close();
refused(fn() => $statement->execute());
refused(fn() => $statement->paramCount());

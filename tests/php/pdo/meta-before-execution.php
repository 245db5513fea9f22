<?php
// What a column is, is known once the statement was executed.
$statement = (new PDO('sqlite::memory:'))->prepare('SELECT 1 AS one');
var_dump($statement->getColumnMeta(0));
$statement->execute();
var_dump($statement->getColumnMeta(0)['name']);

<?php
// Blanks and comments can be prepared; that they cannot be executed is no error.
$database = new PDO('sqlite::memory:');
foreach ([" ", "-- c", "/* x */", ";"] as $text) {
    var_dump($database->query($text), $database->exec($text));
    $statement = $database->prepare($text);
    var_dump($statement->columnCount(), $statement->execute(), $statement->fetch(), $statement->fetchAll(), $statement->errorCode());
}
try { $database->query("\xff"); } catch (PDOException $e) { echo bin2hex($e->getMessage()), bin2hex($e->errorInfo[2]), "\n"; }

<?php
// Statements, results, functions of PHP's and errors as exceptions.
$db = new SQLite3(':memory:');
$db->enableExceptions(true);
$db->exec('CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT, size REAL)');
$insert = $db->prepare('INSERT INTO t (name, size) VALUES (:name, ?2)');
foreach (['one' => 1.5, 'two' => null, 'three' => 3] as $name => $size) {
    $insert->bindValue(':name', $name);
    $insert->bindValue(2, $size);
    $insert->execute();
}
echo $db->lastInsertRowID(), ' ', $db->changes(), ' ', $insert->paramCount(), ' ', $insert->getSQL(true), "\n";
$db->createFunction('shout', fn ($text) => strtoupper($text) . '!');
$db->createCollation('backwards', fn ($a, $b) => $b <=> $a);
$result = $db->query('SELECT id, shout(name) AS loud, size FROM t ORDER BY name COLLATE backwards');
while ($row = $result->fetchArray(SQLITE3_ASSOC)) {
    echo json_encode($row), ' ', $result->columnType(2), "\n";
}
echo $result->numColumns(), ' ', $result->columnName(1), "\n";
var_dump($db->querySingle('SELECT max(size) FROM t'), $db->querySingle('SELECT * FROM t WHERE id = 9', true));
echo SQLite3::escapeString("it's"), "\n";
$blob = $db->openBlob('t', 'name', 3);
echo fread($blob, 3), ' ', stream_get_contents($blob), "\n";
try {
    $db->exec('INSERT INTO t (id) VALUES (1)');
} catch (SQLite3Exception $e) {
    echo $e->getCode(), ' ', $e->getMessage(), "\n";
}
fclose($blob);
$db->close();
try {
    $insert->execute();
} catch (Error $e) {
    echo $e->getMessage(), "\n";
}

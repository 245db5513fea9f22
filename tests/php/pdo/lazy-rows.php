<?php
// Rows of PDO::FETCH_LAZY have their columns as properties and as elements, and cannot be changed.
$db = new PDO('sqlite::memory:');
$db->exec('create table t (id text, name text, gone text); insert into t values (23, 0, null)');
$row = $db->query('select id, name, gone from t')->fetch(PDO::FETCH_LAZY);
var_dump($row, (array) $row, $row->queryString, $row['queryString']);
foreach ([0, '0', 'id', 'name', 'gone', 1, 2, 7, 'none', '1.5'] as $offset) {
    echo '-- ', json_encode($offset), "\n";
    var_dump(isset($row[$offset]), isset($row->{$offset}), empty($row[$offset]), empty($row->{$offset}));
    var_dump($row[$offset] ?? 'other', $row->{$offset} ?? 'other', $row[$offset], $row->{$offset});
}
$tries = [
    function () use ($row) { $row[0] = 1; },
    function () use ($row) { $row[] = 1; },
    function () use ($row) { $row[0][] = 1; },
    function () use ($row) { $row[][] = 1; },
    function () use ($row) { unset($row[0]); },
    function () use ($row) { $row->id = 1; },
    function () use ($row) { unset($row->id); },
    function () { new PDORow; },
    function () use ($row) { clone $row; },
    function () use ($row) { serialize($row); },
];
foreach ($tries as $try) {
    try {
        $try();
    } catch (Throwable $e) {
        echo get_class($e), ': ', $e->getMessage(), "\n";
    }
}

<?php
// ATTACH reaches for files only where open_basedir allows it.
chdir(sys_get_temp_dir());
ini_set('open_basedir', sys_get_temp_dir());
set_error_handler(function ($number, $text) { echo preg_replace('/within.*/', 'within', $text), "\n"; });
$statements = ["attach ':memory:' as a", "attach '' as b", "attach 'file:x.db' as c", "attach '/nowhere/x.db' as d", "attach ('/nowhere/' || 'x.db') as e"];
$pdo = new PDO('sqlite::memory:');
foreach ($statements as $sql) {
    try {
        var_dump($pdo->exec($sql));
    } catch (PDOException $e) {
        echo $e->getMessage(), "\n";
    }
}
$db = new SQLite3(':memory:');
foreach ($statements as $sql) {
    var_dump($db->exec($sql));
}
$db->setAuthorizer(fn() => SQLite3::OK);
var_dump($db->exec("attach '/nowhere/x.db' as f"));
$db->setAuthorizer(null);
var_dump($db->exec("attach '/nowhere/x.db' as g"));
try {
    new PDO('sqlite:file:/tmp/x.db');
} catch (PDOException $e) {
    echo $e->getMessage(), "\n";
}

<?php
// A database in memory: statements, fetch modes, functions of PHP's, errors.
$db = new PDO('sqlite::memory:');
$db->exec('CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT, born INTEGER, weight REAL)');
$insert = $db->prepare('INSERT INTO people (name, born, weight) VALUES (:name, :born, :weight)');
foreach ([['Ada', 1815, 51.5], ['Grace', 1906, null], ['Alan', 1912, 70.0]] as [$name, $born, $weight]) {
    $insert->execute(['name' => $name, ':born' => $born, 'weight' => $weight]);
}
echo $db->lastInsertId(), ' ', $insert->rowCount(), "\n";

class Person
{
    public $name;
    private $born;
    public function __construct(public string $title = '') {}
    public function __toString(): string { return "$this->title $this->name ($this->born)"; }
}

$all = $db->query('SELECT name, born FROM people ORDER BY born');
foreach ($all as $row) {
    echo json_encode($row), "\n";
}
echo json_encode($db->query('SELECT * FROM people')->fetchAll(PDO::FETCH_ASSOC)), "\n";
echo json_encode($db->query('SELECT name, born FROM people')->fetchAll(PDO::FETCH_KEY_PAIR)), "\n";
echo json_encode($db->query('SELECT born / 100, name FROM people')->fetchAll(PDO::FETCH_GROUP | PDO::FETCH_COLUMN)), "\n";
echo implode(', ', $db->query('SELECT name, born FROM people')->fetchAll(PDO::FETCH_CLASS, 'Person', ['Dr'])), "\n";
echo implode(', ', $db->query('SELECT name, born FROM people')->fetchAll(PDO::FETCH_FUNC, fn ($n, $b) => "$n:$b")), "\n";

$db->beginTransaction();
$db->exec("UPDATE people SET name = upper(name)");
echo $db->query('SELECT name FROM people')->fetchColumn(), ' ', var_export($db->inTransaction(), true), "\n";
$db->rollBack();
echo $db->query('SELECT name FROM people')->fetchColumn(), ' ', var_export($db->inTransaction(), true), "\n";

$lite = Pdo\Sqlite::connect('sqlite::memory:');
$lite->createFunction('reversed', strrev(...), 1);
$lite->createAggregate('longest', fn ($c, $row, $v) => strlen($v) > strlen((string) $c) ? $v : $c, fn ($c, $rows) => "$c of $rows", 1);
$lite->createCollation('by_length', fn ($a, $b) => strlen($a) <=> strlen($b));
echo $lite->query("SELECT reversed('stressed')")->fetchColumn(), "\n";
$lite->exec("CREATE TABLE w (w TEXT); INSERT INTO w VALUES ('ccc'), ('a'), ('bb')");
echo $lite->query('SELECT longest(w) FROM w')->fetchColumn(), "\n";
echo implode(' ', $lite->query('SELECT w FROM w ORDER BY w COLLATE by_length')->fetchAll(PDO::FETCH_COLUMN)), "\n";

$name = 'Grace';
$found = $db->prepare('SELECT id, name, weight FROM people WHERE name = ?');
$found->bindParam(1, $name);
$found->bindColumn('id', $id, PDO::PARAM_INT);
$found->execute();
var_dump($found->fetch(PDO::FETCH_BOUND), $id);
$name = 'Alan';
$found->execute();
var_dump($found->fetchObject());

try {
    $db->query('SELECT * FROM nowhere');
} catch (PDOException $e) {
    echo $e->getCode(), ' ', $e->getMessage(), "\n";
    echo json_encode($e->errorInfo), "\n";
}
$db->setAttribute(PDO::ATTR_ERRMODE, PDO::ERRMODE_SILENT);
var_dump($db->exec('INSERT INTO people (id) VALUES (1)'), $db->errorCode());
echo json_encode($db->errorInfo()), ' ', $db->quote("it's"), "\n";

<?php
// How SQLite is built shows in what SQL may say.
$p = new PDO('sqlite::memory:');
$p->setAttribute(PDO::ATTR_ERRMODE, PDO::ERRMODE_EXCEPTION);
$all = fn(string $sql) => $p->query($sql)->fetchAll(PDO::FETCH_NUM);
echo json_encode($all('SELECT ceil(1.2), floor(-1.2), round(ln(10), 6), log(100), log2(8), mod(7, 3), degrees(pi()), sign(-3)')), "\n";
foreach (['sin(0)', 'cos(0)', 'exp(0)', 'trunc(2.7)', 'radians(180) = pi()', 'sqrt(-1)', 'soundex("Robert")', 'json(\'{"a":1}\')', "x'61' LIKE 'a'", 'likely(1)'] as $e) {
    echo $e, ' ', json_encode($all("SELECT $e")[0][0]), "\n";
}
echo json_encode($all('PRAGMA foreign_keys')), json_encode($all('PRAGMA secure_delete')), json_encode($all('PRAGMA defer_foreign_keys')), "\n";
$p->exec('CREATE TABLE a(id INTEGER PRIMARY KEY, n)'); $p->exec('CREATE TABLE b(a_id REFERENCES a(id))');
var_dump($p->exec('INSERT INTO b VALUES (9)'));
$p->exec('PRAGMA foreign_keys = ON');
try { $p->exec('INSERT INTO b VALUES (8)'); } catch (PDOException $e) { echo $e->getMessage(), "\n"; }
for ($i = 0; $i < 6; $i++) { $p->exec("INSERT INTO a(n) VALUES ($i)"); }
var_dump($p->exec('UPDATE a SET n = 10 WHERE id > 4'), $p->exec('DELETE FROM a WHERE id = 2'));
echo json_encode($all('SELECT * FROM a')), "\n";
$many = 40000;
$s = $p->prepare('SELECT count(*) FROM a WHERE id IN (' . implode(',', array_fill(0, $many, '?')) . ')');
$s->execute(range(1, $many)); var_dump($s->fetchColumn());
$p->exec('CREATE VIRTUAL TABLE f4 USING fts4(x)'); $p->exec("INSERT INTO f4 VALUES ('one two')");
$p->exec('CREATE VIRTUAL TABLE f5 USING fts5(x)'); $p->exec("INSERT INTO f5 VALUES ('one two')");
$p->exec('CREATE VIRTUAL TABLE r USING rtree(id, a, b)');
echo json_encode([$all("SELECT * FROM f4 WHERE x MATCH 'two'"), $all("SELECT * FROM f5 WHERE x MATCH 'two'")]), "\n";
echo json_encode($all("SELECT name FROM pragma_module_list WHERE name IN ('fts3','fts4','fts5','rtree','dbstat','sqlite_stmt','sqlite_dbpage') ORDER BY 1")), "\n";
$s = $p->query('SELECT n FROM a'); $m = $s->getColumnMeta(0); echo $m['table'], "\n";
try { $p->query('SELECT max(' . implode(',', range(1, 200)) . ')'); } catch (PDOException $e) { echo $e->getMessage(), "\n"; }

<?php
// Rows of what objects wrote of themselves.
error_reporting(E_ALL & ~E_DEPRECATED);
class Note implements Serializable
{
    public $read;
    public $size;

    public function __construct()
    {
        echo "not called\n";
    }

    public function serialize()
    {
        return '';
    }

    public function unserialize($data)
    {
        $this->read = strrev($data);
    }

    public function __serialize(): array
    {
        return [];
    }

    public function __unserialize(array $data): void
    {
    }
}
$db = new PDO('sqlite::memory:');
$rows = $db->query("SELECT 'abc' AS data, 3 AS size UNION SELECT 'de', 2")->fetchAll(PDO::FETCH_CLASS | PDO::FETCH_SERIALIZE, 'Note');
print_r($rows);
try {
    $db->query('SELECT 1')->fetchAll(PDO::FETCH_CLASS | PDO::FETCH_SERIALIZE, 'stdClass');
} catch (PDOException $e) {
    echo $e->getMessage(), "\n";
}

<?php
// An iterator written in PHP is asked for the value of each element once, however often it is wanted.
class Loud extends RecursiveArrayIterator
{
    function current(): mixed
    {
        echo 'current ';
        return parent::current();
    }

    function key(): string|int|null
    {
        echo 'key ';
        return parent::key();
    }

    function next(): void
    {
        echo 'next ';
        parent::next();
    }

    function hasChildren(): bool
    {
        echo 'has ';
        return parent::hasChildren();
    }
}

function run(string $name, Iterator $iterator): void
{
    echo "== $name\n";
    $iterator->rewind();
    var_dump($iterator->current(), $iterator->current(), $iterator->key(), $iterator->key());
    $iterator->next();
    var_dump($iterator->current(), $iterator->current());
    foreach ($iterator as $key => $value) {
        echo "[$key ", is_array($value) ? 'array' : $value, '] ';
    }
    echo "\n";
}

run('recursive', new RecursiveIteratorIterator(new Loud([1, [2, 3], 4])));
run('itself first', new RecursiveIteratorIterator(new Loud([1, [2, 3], 4]), RecursiveIteratorIterator::SELF_FIRST));
run('no rewind', new NoRewindIterator(new Loud([1, 2, 3])));
run('tree', @new RecursiveTreeIterator(new Loud([1, 2, 4])));

// The end of what the engine iterates over is no error.
$ended = new RecursiveIteratorIterator(new SimpleXMLElement('<root/>'));
var_dump($ended->current(), $ended->key());

// A list of the DOM cannot be gone over twice with one iterator.
$document = new DOMDocument();
$document->loadXML('<r><i/><i/></r>');
$items = new IteratorIterator($document->getElementsByTagName('i'));
var_dump(iterator_count($items));
try {
    iterator_count($items);
} catch (Error $error) {
    echo $error->getMessage(), "\n";
}

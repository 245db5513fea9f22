<?php
// A generator that has ended is nothing to iterate any more, inside of iterators and of other generators, too.
function numbers(): Generator
{
    yield 1;
    yield 2;
    return 3;
}

function ended(): Generator
{
    $generator = numbers();
    foreach ($generator as $number) {
    }
    return $generator;
}

function refused(callable $body): void
{
    try {
        var_dump($body());
    } catch (Throwable $error) {
        echo get_class($error), ': ', $error->getMessage(), "\n";
    }
}

refused(fn() => new IteratorIterator(ended()));
refused(fn() => new LimitIterator(ended(), 0, 1));
refused(fn() => new NoRewindIterator(ended()));
refused(fn() => new CachingIterator(ended()));
refused(fn() => new CallbackFilterIterator(ended(), fn() => true));
refused(fn() => (new AppendIterator)->append(ended()));
refused(fn() => [...ended()]);
refused(fn() => (function () {
    return yield from ended();
})()->current());

$several = new AppendIterator;
$several->append(numbers());
foreach ($several as $number) {
    echo $number, "\n";
}
refused(fn() => iterator_to_array($several));

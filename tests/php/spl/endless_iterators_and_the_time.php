<?php
//: exit 255
// A walk that never ends is ended by the time limit, also where the methods that it calls have no loop of their own.
ini_set('display_errors', '0');
ini_set('log_errors', '0');

class Walk implements Iterator
{
    private int $at = 0;

    public function current(): mixed
    {
        return 1;
    }

    public function key(): mixed
    {
        return $this->at;
    }

    public function next(): void
    {
        ++$this->at;
    }

    public function rewind(): void
    {
        $this->at = 0;
    }

    public function valid(): bool
    {
        return $this->at < 3;
    }
}

register_shutdown_function(function () {
    echo error_get_last()['message'], "\n";
});
set_time_limit(1);
echo iterator_count(new InfiniteIterator(new Walk));

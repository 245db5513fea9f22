<?php
// The destructor of what a generator yielded before gives up the last variable that holds it, while it yields to send() or next().
class Holder
{
    public function __construct(private int $number) {}

    public function __destruct()
    {
        global $generator;
        echo "destroyed {$this->number}\n";
        if ($this->number === 2) {
            $generator = null;
        }
    }
}

function holders(): Generator
{
    try {
        for ($number = 0; ; $number++) {
            $sent = yield new Holder($number);
        }
    } finally {
        echo "left at $number\n";
    }
}

function plain(): Generator
{
    for ($number = 0; ; $number++) {
        $sent = yield new Holder($number);
    }
}

foreach (['holders', 'plain'] as $function) {
    foreach (['send', 'next'] as $method) {
        $generator = $function();
        $generator->current();
        for ($i = 0; $generator !== null; $i++) {
            echo "$function $method $i\n";
            $method === 'send' ? $generator->send($i) : $generator->next();
        }
    }
}
echo "end\n";

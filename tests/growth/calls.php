<?php
class Node
{
    public ?Node $next = null;
    public array $others = [];
    public static array $all = [];

    public function __get($name)
    {
        return $name;
    }

    public function __call($name, $arguments)
    {
        return count($arguments);
    }
}

enum Suit: string
{
    case Hearts = 'h';
    case Spades = 's';
    const Usual = self::Hearts;
}

function numbers(int $to)
{
    try {
        for ($at = 0; $at < $to; $at++) {
            yield "key $at" => $at;
        }
        return $to;
    } finally {
        Node::$all[] = $to;
    }
}

function fails(int $depth)
{
    if ($depth === 0) {
        throw new LogicException('at the bottom', 3, new RuntimeException('before'));
    }
    return fails($depth - 1);
}

set_error_handler(fn($number, $text) => true);
register_shutdown_function(function () {
    Node::$all = [];
});
define('NAMED_' . count(get_defined_constants(true)['user'] ?? []), [1, 2, 3]);
ob_start(fn($text) => strtoupper($text));
for ($round = 0; $round < 30; $round++) {
    $node = new Node;
    $node->next = $node;
    $node->others = [$node, fn() => $node];
    $node->dynamic = $node->missing . $node->unknown(1, 2);
    foreach (numbers(5) as $key => $value) {
        if ($value === 3) {
            break;
        }
    }
    try {
        fails(4);
    } catch (LogicException $error) {
        $trace = $error->getTraceAsString();
    }
    $fiber = new Fiber(function ($first) use ($node) {
        $second = Fiber::suspend($first);
        yield_it($second, $node);
    });
    $fiber->start($round);
    echo $undefined, Suit::from('h')->name, Suit::tryFrom('x')?->name, Suit::Usual->value;
    $anonymous = new class ($round) extends ArrayObject {
        public function __construct(public int $round)
        {
            parent::__construct([1, 2, 3]);
        }
    };
    $bound = Closure::bind(fn() => $this->others, $node, Node::class);
    $bound();
    usort($node->others, fn($a, $b) => 0);
    $weak = WeakReference::create($node);
    $map = new WeakMap;
    $map[$node] = $node;
    extract(['extracted' => $round, 'node2' => $node]);
    $name = "variable$round";
    $$name = compact('name', 'round');
    array_map(null, [1, 2], [3, 4]);
    iterator_to_array(new LimitIterator(new ArrayIterator(range(1, 5)), 1, 2));
    spl_autoload_register(fn($class) => null);
    class_exists("Missing$round");
}
ob_end_clean();

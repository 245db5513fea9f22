<?php
// What random calls are made with: values that act when they are used, and what shows results.

error_reporting(E_ALL);
mt_srand(1);

/** Does what the case wants to happen in the middle of calls. */
function hook(mixed $given = null): mixed
{
    static $depth = 0, $times = 0;
    $action = $GLOBALS['action'] ?? null;
    if ($action === null || $depth > 1 || ++$times > 400) {
        return $given;
    }
    ++$depth;
    try {
        return $action($given) ?? $given;
    } finally {
        --$depth;
    }
}

function act(?Closure $action): void
{
    $GLOBALS['action'] = $action;
}

function cut(string $text, int $most = 300): string
{
    return strlen($text) > $most ? substr($text, 0, $most) . '…' : $text;
}

function show(mixed $value, int $depth = 0): void
{
    if (is_array($value)) {
        echo 'array ', count($value), ' {';
        $shown = 0;
        foreach ($value as $key => $element) {
            if ($depth > 2 || ++$shown > 6) {
                break;
            }
            echo cut((string) $key, 40), ': ';
            show($element, $depth + 1);
        }
        echo '}';
    } elseif (is_object($value)) {
        echo 'object ', cut(get_class($value), 60);
    } elseif (is_string($value)) {
        echo '"', cut($value), '"';
    } else {
        echo is_resource($value) ? 'resource' : (is_float($value) ? var_export($value, true) : gettype($value) . ' ' . json_encode($value));
    }
    echo $depth === 0 ? "\n" : ' ';
}

function thrown(Throwable $thrown): void
{
    $previous = $thrown->getPrevious();
    echo get_class($thrown), ': ', cut($thrown->getMessage()), $previous ? ' <- ' . get_class($previous) : '', "\n";
}

/** Numbers of objects and resources depend on all that was there before. */
function without_numbers(string $text): string
{
    return preg_replace('/#\d+|(?<=resource\()\d+/', '#', $text);
}

/** Shows a value as a function does that writes itself. */
function written(callable $function, mixed $value): void
{
    ob_start();
    try {
        $result = $function($value);
    } finally {
        $text = ob_get_clean();
        echo cut(without_numbers((string) $text)), "\n";
    }
    if (is_string($result)) {
        echo cut(without_numbers($result)), "\n";
    }
}

/** What each case starts with and ends with. */
function between(int $number): void
{
    act(null);
    for ($left = 20; $left > 0 && ob_get_level() > 0 && @ob_end_flush(); --$left) {
    }
    set_error_handler('handle');
    echo "\n#$number\n";
    flush();
}

/** Messages are part of what a case says, and a place where things happen. */
function handle(int $level, string $message): bool
{
    echo "[$level] ", cut($message), "\n";
    hook($message);
    return true;
}

enum Suit: string
{
    case Hearts = 'h';
    case Spades = 's';
    const Wild = self::Spades;
}

enum Unit
{
    case One;
}

#[Attribute(Attribute::TARGET_ALL | Attribute::IS_REPEATABLE)]
class Mark
{
    public function __construct(public mixed $what = null)
    {
        hook();
    }
}

#[Mark(1), Mark('x')]
class Plain
{
    const C = 5;
    public $a = 1;
    protected $b = [1, 2];
    private $c = 'c';
    public ?int $typed = 3;
    public readonly array $fixed;
    public static $shared = ['s'];
    public int $hooked {
        get => $this->typed ?? 0;
        set { hook(); $this->typed = $value; }
    }

    #[Mark]
    public function m(int $x = 1, string &...$rest): ?array
    {
        return [$x];
    }

    public static function st(...$all)
    {
        return hook($all[0] ?? null);
    }
}

#[AllowDynamicProperties]
class Loose extends Plain
{
}

class Text implements Stringable
{
    public function __construct(public string $text = 'text')
    {
    }

    public function __toString(): string
    {
        hook();
        return $this->text;
    }
}

class Thrower implements Stringable, Countable, JsonSerializable, IteratorAggregate
{
    public function __toString(): string
    {
        throw new LogicException('to string');
    }

    public function count(): int
    {
        throw new LogicException('count');
    }

    public function jsonSerialize(): mixed
    {
        throw new LogicException('json');
    }

    public function getIterator(): Iterator
    {
        throw new LogicException('iterator');
    }
}

class Walk implements Iterator, Countable
{
    private int $at = 0;

    public function __construct(public array $all = ['a' => 1, 'b' => [2, 3], 4, null])
    {
    }

    public function current(): mixed
    {
        return hook(array_values($this->all)[$this->at] ?? null);
    }

    public function key(): mixed
    {
        hook();
        return array_keys($this->all)[$this->at] ?? null;
    }

    public function next(): void
    {
        hook();
        ++$this->at;
    }

    public function rewind(): void
    {
        hook();
        $this->at = 0;
    }

    public function valid(): bool
    {
        hook();
        return $this->at < count($this->all);
    }

    public function count(): int
    {
        hook();
        return count($this->all);
    }
}

class Deep extends Walk implements RecursiveIterator, SeekableIterator
{
    public function hasChildren(): bool
    {
        hook();
        return is_array($this->current());
    }

    public function getChildren(): ?RecursiveIterator
    {
        hook();
        return new Deep((array) $this->current());
    }

    public function seek(int $offset): void
    {
        hook();
    }
}

class Outer extends IteratorIterator
{
    public function current(): mixed
    {
        return hook(parent::current());
    }

    public function next(): void
    {
        hook();
        parent::next();
    }
}

class Aggregate implements IteratorAggregate
{
    public function __construct(public mixed $inner = null)
    {
    }

    public function getIterator(): Iterator
    {
        hook();
        return $this->inner instanceof Iterator ? $this->inner : new ArrayIterator([1, 2, 3]);
    }
}

class Filter extends FilterIterator
{
    public function accept(): bool
    {
        hook();
        return true;
    }
}

class DeepFilter extends RecursiveFilterIterator
{
    public function accept(): bool
    {
        hook();
        return true;
    }
}

class Heap extends SplHeap
{
    protected function compare(mixed $a, mixed $b): int
    {
        hook();
        return $a <=> $b;
    }
}

class MinHeap extends SplMinHeap
{
    protected function compare(mixed $a, mixed $b): int
    {
        hook();
        return parent::compare($a, $b);
    }
}

class Priorities extends SplPriorityQueue
{
    public function compare(mixed $a, mixed $b): int
    {
        hook();
        return parent::compare($a, $b);
    }
}

class Storage extends SplObjectStorage
{
    public function getHash(object $object): string
    {
        hook();
        return get_class($object);
    }
}

class Keys implements ArrayAccess
{
    public array $all = [];

    public function offsetExists(mixed $offset): bool
    {
        hook();
        return true;
    }

    public function offsetGet(mixed $offset): mixed
    {
        return hook($this->all);
    }

    public function offsetSet(mixed $offset, mixed $value): void
    {
        hook();
        $this->all[] = $value;
    }

    public function offsetUnset(mixed $offset): void
    {
        hook();
        $this->all = [];
    }
}

class Magic
{
    private $hidden = 1;

    public function __get($name)
    {
        return hook($name);
    }

    public function __set($name, $value)
    {
        hook();
        $this->$name = $value;
    }

    public function __isset($name)
    {
        hook();
        return true;
    }

    public function __unset($name)
    {
        hook();
    }

    public function __call($name, $arguments)
    {
        return hook($arguments);
    }

    public static function __callStatic($name, $arguments)
    {
        return hook($arguments);
    }

    public function __invoke(...$all)
    {
        return hook($all[0] ?? null);
    }
}

class Sleeper
{
    public $a = [1];

    public function __serialize(): array
    {
        hook();
        return ['a' => $this->a];
    }

    public function __unserialize(array $data): void
    {
        hook();
        $this->a = $data;
    }

    public function __clone()
    {
        hook();
    }

    public static function __set_state($all)
    {
        return new self;
    }

    public function __debugInfo()
    {
        hook();
        return ['x' => $this];
    }
}

class Dying
{
    public function __construct(public mixed $held = null)
    {
    }

    public function __destruct()
    {
        hook();
    }
}

class JsonText implements JsonSerializable
{
    public function jsonSerialize(): mixed
    {
        return hook(['j' => 1]);
    }
}

class Engine implements Random\Engine
{
    public function generate(): string
    {
        hook();
        return "\x01\x02\x03\x04";
    }
}

class Node extends DOMElement
{
    public $own = [];

    public function __get($name)
    {
        return hook($name);
    }
}

class Upper extends php_user_filter
{
    public function filter($in, $out, &$consumed, bool $closing): int
    {
        hook();
        while ($bucket = stream_bucket_make_writeable($in)) {
            $bucket->data = strtoupper((string) $bucket->data);
            $consumed += $bucket->datalen;
            stream_bucket_append($out, $bucket);
        }
        return PSFS_PASS_ON;
    }

    public function onCreate(): bool
    {
        hook();
        return true;
    }

    public function onClose(): void
    {
        hook();
    }
}

class Stream
{
    public $context;
    private int $left = 5;

    public function stream_open($path, $mode, $options, &$opened)
    {
        hook();
        return true;
    }

    public function stream_read($count)
    {
        hook();
        return --$this->left > 0 ? "line {$this->left}\n" : '';
    }

    public function stream_write($data)
    {
        hook();
        return strlen($data);
    }

    public function stream_eof()
    {
        hook();
        return $this->left <= 0;
    }

    public function stream_seek($offset, $whence)
    {
        hook();
        return true;
    }

    public function stream_tell()
    {
        return 0;
    }

    public function stream_stat()
    {
        hook();
        return ['size' => 5];
    }

    public function url_stat($path, $flags)
    {
        hook();
        return ['mode' => 0100644, 'size' => 5];
    }

    public function stream_close()
    {
        hook();
    }

    public function stream_flush()
    {
        hook();
        return true;
    }

    public function dir_opendir($path, $options)
    {
        return true;
    }

    public function dir_readdir()
    {
        hook();
        return --$this->left > 0 ? "name{$this->left}" : false;
    }

    public function dir_rewinddir()
    {
        return true;
    }

    public function dir_closedir()
    {
        hook();
    }

    public function __call($name, $arguments)
    {
        return hook(false);
    }
}

stream_wrapper_register('hook', 'Stream');
stream_filter_register('hook.upper', 'Upper');

const XML = '<?xml version="1.0"?><!DOCTYPE a [<!ELEMENT a ANY><!ENTITY e "ent"><!NOTATION n SYSTEM "n">'
    . '<!ATTLIST b id ID #IMPLIED>]><a xmlns:p="urn:p"><b id="x" p:q="r">t&e;</b><!-- c --><p:c><![CDATA[d]]></p:c>'
    . '<?pi data?><b>u</b></a>';
const HTML = '<!DOCTYPE html><html><head><title>T</title></head><body class="x y"><p id="p" data-a="1">A<b>B</b></p>'
    . '<ul><li>1<li>2</ul><svg><g/></svg></body></html>';

// A key that nothing is locked with.
const KEY = '-----BEGIN PRIVATE KEY-----' . "\n"
    . 'MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg0VNh9se5/7UIEdOF' . "\n"
    . 'ZQZXGHlQhGE+c/6XaYYwJ9TYAo+hRANCAATsJ2ZzfOtFrZ2LirDZd7PGgvwEguQk' . "\n"
    . 'eeVUc+DM/r+6BSMTX1x8I/DOS1aUjWX0hD3bJYGbosQPfH87eiSaKAVN' . "\n"
    . '-----END PRIVATE KEY-----' . "\n";

function doc(): DOMDocument
{
    $document = new DOMDocument;
    $document->loadXML(XML);
    return $document;
}

function xdoc(): Dom\XMLDocument
{
    return Dom\XMLDocument::createFromString(XML);
}

function html(): Dom\HTMLDocument
{
    return Dom\HTMLDocument::createFromString(HTML, LIBXML_NOERROR);
}

function pkey(): OpenSSLAsymmetricKey
{
    static $key;
    return $key ??= openssl_pkey_get_private(KEY);
}

function reader(int $nodes = 3): XMLReader
{
    $reader = XMLReader::XML(XML);
    while ($nodes-- > 0) {
        $reader->read();
    }
    return $reader;
}

function writer(): XMLWriter
{
    $writer = new XMLWriter;
    $writer->openMemory();
    $writer->startElement('a');
    return $writer;
}

function parser(): XMLParser
{
    $parser = xml_parser_create();
    xml_set_element_handler($parser, fn (...$all) => hook($all[1]), fn (...$all) => hook($all[1]));
    xml_set_character_data_handler($parser, fn (...$all) => hook($all[1]));
    xml_set_default_handler($parser, fn (...$all) => hook($all[1]));
    return $parser;
}

function pdo(string $class = 'PDO'): PDO
{
    $pdo = new $class('sqlite::memory:');
    $pdo->exec("create table t (i integer, s text, f real, b blob); insert into t values (1, 'a', 1.5, x'00ff'), (2, null, -1, 'b')");
    return $pdo;
}

function sq(): SQLite3
{
    $base = new SQLite3(':memory:');
    $base->enableExceptions(true);
    $base->exec("create table t (i integer, s text, f real, b blob); insert into t values (1, 'a', 1.5, x'00ff'), (2, null, -1, 'b')");
    $base->createFunction('hook', fn (...$all) => hook($all[0] ?? 1));
    return $base;
}

function tar(): PharData
{
    $archive = new PharData('made' . mt_rand() . '.tar');
    $archive['in/a.txt'] = 'contents';
    $archive->addEmptyDir('e');
    return $archive;
}

function gen(int $kind = 0): Generator
{
    $generator = (function () use ($kind) {
        try {
            $got = yield 'k' => hook(1);
            yield hook($got);
            if ($kind === 1) {
                yield from new Walk;
            }
            if ($kind === 2) {
                throw new RuntimeException('in generator');
            }
            return 3;
        } finally {
            hook();
        }
    })();
    if ($kind === 3) {
        $generator->current();
    }
    return $generator;
}

function &refgen(array &$array): Generator
{
    foreach ($array as $key => &$value) {
        yield $key => $value;
    }
}

function fiber(bool $started = false): Fiber
{
    $fiber = new Fiber(function (...$all) {
        $got = Fiber::suspend(hook(1));
        Fiber::suspend($got);
        return 2;
    });
    if ($started) {
        $fiber->start();
    }
    return $fiber;
}

/** Resources of some kinds. */
function res(int $kind)
{
    switch ($kind) {
        case 0:
            $stream = fopen('php://memory', 'w+');
            fwrite($stream, "one,two\n\"three\n\" 4\nlast");
            rewind($stream);
            return $stream;
        case 1:
            $stream = fopen('php://memory', 'w+');
            fclose($stream);
            return $stream;
        case 2:
            return stream_context_create(['http' => ['method' => 'GET'], 'hook' => ['a' => [1]]]);
        case 3:
            return opendir('d');
        case 4:
            return fopen('php://temp/maxmemory:4', 'w+');
        case 5:
            return fopen('a.txt', 'r+');
        case 6:
            return fopen('hook://x', 'r+');
        case 7:
            $stream = res(0);
            stream_filter_append($stream, 'hook.upper');
            return $stream;
        case 8:
            return stream_filter_append(res(5), 'hook.upper', STREAM_FILTER_READ);
        case 9:
            return opendir('hook://d');
        case 10:
            return fopen('php://filter/read=convert.base64-encode|hook.upper/resource=a.txt', 'r');
        default:
            return fopen('compress.zlib://z.gz', 'w');
    }
}

function filled(object $object): object
{
    foreach ([3, 'b', [1], null, 2.5] as $at => $value) {
        match (true) {
            $object instanceof SplPriorityQueue => $object->insert($value, $at),
            $object instanceof SplHeap => $object->insert($value),
            $object instanceof SplDoublyLinkedList => $object->push($value),
            $object instanceof SplObjectStorage => $object->attach(new Loose, $value),
            $object instanceof AppendIterator => $object->append(new ArrayIterator([$value])),
            $object instanceof MultipleIterator => $object->attachIterator(new ArrayIterator([$value, 2])),
            $object instanceof WeakMap => $object[Suit::Hearts] = $value,
            default => null,
        };
    }
    return $object;
}

function kept(string $class = 'WeakMap'): object
{
    static $keys = [];
    $map = new $class;
    $map[$keys[] = new Loose] = $map;
    $map[Suit::Hearts] = [1];
    $map[new Dying] = 2;
    return $map;
}

/** Arrays of some kinds. */
function arr(int $kind): array
{
    switch ($kind) {
        case 0:
            $array = [1, 2, 3];
            $array[] = &$array;
            return $array;
        case 1:
            $x = 5;
            return ['a' => &$x, 'b' => &$x, 3 => [&$x]];
        case 2:
            return range(1, 300);
        case 3:
            return ['x' => ['y' => ['z' => [1, ['q' => null]]]]];
        case 4:
            $array = [5, 'k' => 6, 7, 8];
            unset($array[0], $array[2]);
            next($array);
            return $array;
        case 5:
            return array_fill(0, 200, 'text');
        case 6:
            return [1.5, NAN, INF, -0.0, 2.0];
        case 7:
            return [PHP_INT_MAX => 1, -5 => 2, '' => 3];
        case 8:
            return [new Text('b'), new Text('a'), new Dying, new Thrower];
        default:
            return array_combine(array_map(fn ($i) => "k$i", range(0, 40)), range(0, 40));
    }
}

/** A class that is declared with this body below another one, once. */
function below(string $class, string $body): string
{
    static $names = [];
    $name = $names["$class $body"] ?? null;
    if ($name === null) {
        $name = 'Below' . count($names);
        $names["$class $body"] = $name;
        eval("class $name extends \\$class { $body }");
    }
    return $name;
}

/** An object of a class below that does not call the constructor above. */
function half(string $class, mixed ...$arguments): object
{
    return new (below($class, 'public $own = 1; public function __construct(...$all) {}'))(...$arguments);
}

/** An object of a class below in which a method acts before it calls the one above. */
function over(string $class, string $method, mixed ...$arguments): object
{
    $body = "#[ReturnTypeWillChange] public function $method(...\$all) { hook(\$this); return parent::$method(...\$all); }";
    return new (below($class, $body))(...$arguments);
}

function bare(string $class): object
{
    return (new ReflectionClass($class))->newInstanceWithoutConstructor();
}

/** Calls some public method of an object of any class. */
function any(mixed $object, int $which, mixed &...$arguments): mixed
{
    if (!is_object($object)) {
        return null;
    }
    $avoided = ['__construct', '__destruct', 'flock', 'loadextension', 'comparedocumentposition'];
    $methods = array_values(array_filter(
        get_class_methods($object),
        fn ($method) => !in_array(strtolower($method), $avoided, true),
    ));
    if (!$methods) {
        return null;
    }
    sort($methods);
    $method = $methods[$which % count($methods)];
    echo get_class($object) === 'Closure' ? '' : "any $method\n";
    return $object->$method(...$arguments);
}

set_error_handler('handle');

<?php
// Methods that compiled oplines call by themselves: what they are called with, what becomes of their results, and what keeps
// them from being called again.
class Box implements ArrayAccess, Countable
{
    public array $log = [];
    protected array $data = ['n' => 1, 't' => 'text', 'f' => 1.5, 'null' => null];
    public function __get(string $name): mixed
    {
        if ($name === 'self') {
            return $this->self . '!';
        }
        if ($name === 'other') {
            return isset($this->other) ? $this->n : $this->t;
        }
        return $this->data[$name] ?? "no $name";
    }
    public function __set(string $name, mixed $value): void
    {
        if ($name === 'late') {
            $this->late = $value;
        } elseif ($name === 'bad') {
            throw new RuntimeException("set $name");
        } else {
            $this->data[$name] = $value;
        }
    }
    public function __isset(string $name): bool
    {
        if ($name === 'other') {
            return isset($this->other) || isset($this->data['n']);
        }
        return isset($this->data[$name]);
    }
    public function __unset(string $name): void
    {
        if ($name === 'self') {
            unset($this->self);
        }
        unset($this->data[$name]);
    }
    public function __call(string $name, array $args): mixed
    {
        if ($name === 'throws') {
            throw new LogicException($name . ' ' . implode(',', $args));
        }
        if ($name === 'chain') {
            $this->data['n'] = $args[0];
            return $this;
        }
        return $name . ':' . count($args) . ':' . json_encode($args);
    }
    public static function __callStatic(string $name, array $args): static
    {
        $made = new static();
        $made->data['n'] = $args[0];
        $made->data['t'] = $name;
        return $made;
    }
    public function __invoke(int $x, ?string $y = null): string
    {
        return $y . ($x + $this->data['n']);
    }
    public function offsetExists(mixed $key): bool
    {
        return isset($this->data[$key]);
    }
    public function offsetGet(mixed $key): mixed
    {
        if ($key === 'thrown') {
            throw new OutOfBoundsException("get $key");
        }
        return $this->data[$key];
    }
    public function offsetSet(mixed $key, mixed $value): void
    {
        if ($key === null) {
            $this->data[] = $value;
        } else {
            $this->data[$key] = $value;
        }
    }
    public function offsetUnset(mixed $key): void
    {
        unset($this->data[$key]);
    }
    public function count(): int
    {
        return count($this->data);
    }
}
#[AllowDynamicProperties]
class Open extends Box
{
    private int $n = 70;
    public string $t = 'declared';
    public function own(): string
    {
        return $this->n . $this->t . $this->f . isset($this->n);
    }
}
class Traced
{
    public function __get($name)
    {
        $trace = (new Exception())->getTrace()[0];
        return "$trace[class]$trace[type]$trace[function]";
    }
    public function __call($name, $args)
    {
        return array_map(fn ($row) => $row['function'], (new Exception())->getTrace());
    }
}
function looped(Box $box, int $n): array
{
    $sum = 0;
    $text = '';
    for ($i = 0; $i < $n; $i++) {
        $box->n = $i;
        $sum += $box->n;
        $box->t = 't' . $i;
        $text = $box->t . $box->null . $box->missing;
        if (isset($box->t) && !isset($box->missing)) {
            $sum++;
        }
        $box['k' . ($i & 3)] = $text;
        $box[] = $i;
        $text .= $box['k' . ($i & 3)];
        unset($box[$i & 7], $box->{'x'}, $box->f);
        $sum += count($box) + strlen($box->called($i, $text, [1])) + strlen($box($i));
        $sum += isset($box['n']) ? 1 : 0;
        $sum += strlen($box($i, 'y')) + $box->chain($i)->chain($i + 1)->n;
        $text = $box->self . $box->other . isset($box->other);
        unset($box->self);
    }
    return [$sum, $text, count($box), $box->nothing()];
}
function made(int $n): string
{
    $text = '';
    for ($i = 0; $i < $n; $i++) {
        $box = $i & 1 ? Box::first($i) : Open::second($i, 'more');
        $text = $box->n . $box->t . get_class($box) . $box->f;
        if ($box instanceof Open) {
            $text .= $box->own();
            $box->late = $i;
            $text .= $box->late . isset($box->late);
            unset($box->late);
            $text .= $box->late;
        }
    }
    return $text;
}
function thrown(Box $box, int $n): string
{
    $text = '';
    for ($i = 0; $i < $n; $i++) {
        try {
            $held = 'held' . $i;
            if ($i % 3 === 0) {
                $box->bad = $held;
            } elseif ($i % 3 === 1) {
                $text .= $box->throws($i, $held, [$held]);
            } else {
                $text .= $box['thrown'];
            }
        } catch (Exception $e) {
            $text = $e->getMessage() . $e->getLine() . count($e->getTrace());
        }
    }
    return $text;
}
function mixed(array $boxes, int $n): string
{
    $text = '';
    for ($i = 0; $i < $n; $i++) {
        $box = $boxes[$i % count($boxes)];
        $text = $box->t . (isset($box['t']) ? $box['t'] : 'none') . ($box->u ?? 'u') . count($box);
        $box->t = 'new' . $i;
        $box->u = $i;
    }
    return $text;
}
function traced(int $n): string
{
    $object = new Traced();
    for ($i = 0; $i < $n; $i++) {
        $text = $object->any . json_encode($object->called($i));
    }
    return $text;
}
set_error_handler(fn ($level, $text) => print("($text)\n"));
for ($round = 0; $round < 12; $round++) {
    $results = [
        looped(new Box(), 40),
        made(40),
        thrown(new Box(), 30),
        mixed([new Box(), new ArrayObject(['t' => 'array', 'u' => 1], ArrayObject::ARRAY_AS_PROPS), new Open()], 30),
        traced(30),
    ];
    if ($round < 2 || $round === 11) {
        echo json_encode($results, JSON_PRETTY_PRINT), "\n";
    }
}
// The main program's variables may be anybody's.
class Reach
{
    public function __get($name)
    {
        $GLOBALS['i'] += 1;
        $GLOBALS['object'] = new Reach();
        return $name;
    }
    public function __set($name, $value)
    {
        $GLOBALS['value'] .= $value;
        unset($GLOBALS['object']);
        $GLOBALS['object'] = $this;
    }
    public function offsets()
    {
        return 1;
    }
}
$object = new Reach();
$value = '';
for ($i = 0; $i < 400; $i++) {
    $name = $object->name;
    $object->name = $i;
    if (strlen($value) > 100) {
        $value = substr($value, -3) . $name;
    }
}
echo $i, ' ', $value, ' ', get_class($object), "\n";

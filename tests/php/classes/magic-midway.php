<?php
// Magic methods that an opline calls and goes on from: `??`, compound assignments, `count`; and results of type static.
#[AllowDynamicProperties]
class Store
{
    public array $log = [];
    private array $data = ['n' => 1, 's' => 'a', 'null' => null, 'hidden' => 5];
    private $hidden = 7;
    public function __isset($name)
    {
        $this->log[] = "isset $name";
        if ($name === 'again') {
            return isset($this->again);
        }
        if ($name === 'throws') {
            throw new Exception('isset');
        }
        return $name === 'truthy' ? 'yes' : array_key_exists($name, $this->data);
    }
    public function __get($name)
    {
        $this->log[] = "get $name";
        if ($name === 'again') {
            return $this->again ?? 'inner';
        }
        if ($name === 'bad') {
            throw new Exception('get');
        }
        return $this->data[$name] ?? null;
    }
    public function __set($name, $value)
    {
        $this->log[] = "set $name " . json_encode($value);
        if ($name === 'bad set') {
            throw new Exception('set');
        }
        if ($name === 'made') {
            $this->made = $value;
            return;
        }
        $this->data[$name] = $value;
    }
    public function own(): array
    {
        $this->hidden .= 'own';
        $this->other .= 'o';
        return [$this->hidden, $this->other ?? 'none'];
    }
    public function flush(): string
    {
        [$text, $this->log] = [implode(', ', $this->log), []];
        return $text;
    }
}
class OnlyGet
{
    public function __get($name)
    {
        return $name === 'x' ? 10 : null;
    }
}
class Text
{
    public function __construct(private string $text, private string $freed = '') {}
    public function __toString(): string
    {
        return $this->text;
    }
    public function __destruct()
    {
        if ($this->freed !== '') {
            echo "freed $this->freed\n";
        }
    }
}
function told(Store $s): void
{
    echo '  ', $s->flush(), "\n";
}
for ($i = 0; $i < 3; $i++) {
    $s = new Store();
    echo json_encode([$s->n ?? 'none', $s->nothing ?? 'none', $s->null ?? 'none', $s->truthy ?? 'none', $s->again ?? 'none']), "\n";
    told($s);
    echo json_encode([$s->hidden ?? 'none', (new Store())->n ?? 'none', (new OnlyGet())->x ?? 'none', (new OnlyGet())->y ?? 'none']), "\n";
    told($s);
    try {
        echo $s->throws ?? 'none';
    } catch (Exception $e) {
        echo $e->getMessage(), "\n";
    }
    $s->n += 5;
    $s->s .= new Text('b');
    $s->s .= new Text('c', 'operand');
    $s->made ??= 3;
    $s->made += 4;
    $s->hidden -= 1;
    $s->nothing += 1.5;
    echo json_encode([$s->n, $s->s, $s->made, $s->hidden, $s->nothing, $x = $s->n *= 2, $s->n++, ++$s->n]), "\n";
    told($s);
    foreach (['bad', 'bad set', 's'] as $name) {
        try {
            match ($name) {
                'bad' => $s->bad .= new Text('d', 'operand of what threw') . '',
                'bad set' => $s->{'bad set'} .= 'e',
                's' => $s->s *= new Text('f', 'last operand'),
            };
        } catch (Throwable $e) {
            echo get_class($e), ' ', $e->getMessage(), "\n";
        }
    }
    try {
        $s->bad .= $i ? new Text('g', 'operand') : "text $i";
    } catch (Exception $e) {
        echo $e->getMessage(), "\n";
    }
    unset($e);
    $s->n += $undefined;
    $y = 3;
    $s->n += $y;
    echo json_encode($s->own()), "\n";
    told($s);
}
class Bag implements Countable
{
    public function __construct(protected mixed $n) {}
    public function count(): int
    {
        if ($this->n === null) {
            throw new Exception('count');
        }
        return $this->n;
    }
    public function copied(): static
    {
        return new static($this->n);
    }
    public static function made(mixed $n): static
    {
        return new static($n);
    }
    public function wrong(): static
    {
        return new Bag(1);
    }
}
class Sub extends Bag {}
class Odd implements Countable
{
    public function __construct(protected mixed $n) {}
    public static function made(mixed $n): static
    {
        return new static($n);
    }
    public function copied(): static
    {
        return new static($this->n);
    }
    public function wrong(): static
    {
        return new Bag(1);
    }
    #[ReturnTypeWillChange]
    public function count()
    {
        return '12 monkeys';
    }
}
$bags = [new Bag(3), Bag::made(4), Sub::made('5'), (new Sub(6))->copied(), new Odd(7), Odd::made(1)->copied()];
for ($i = 0; $i < 3; $i++) {
    foreach ($bags as $bag) {
        try {
            echo get_class($bag), ' ', count($bag), ' ', sizeof($bag), ' ', count($bag->copied()), "\n";
            count($bag);
        } catch (Throwable $e) {
            echo get_class($e), ' ', $e->getMessage(), "\n";
        }
        try {
            echo get_class($bag->wrong()), "\n";
        } catch (TypeError $e) {
            echo $e->getMessage(), "\n";
        }
    }
}
try {
    count(new Bag(null));
} catch (Exception $e) {
    echo preg_replace('~/.*/~', '', $e->getTraceAsString()), "\n";
}
try {
    call_user_func('count', new Bag(null));
} catch (Exception $e) {
    echo preg_replace('~/.*/~', '', $e->getTraceAsString()), "\n";
}

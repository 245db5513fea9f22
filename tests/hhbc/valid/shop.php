<?php
declare(strict_types=1);
namespace App\Model;

use Attribute as A;

#[Info(A::TARGET_CLASS | 1, name: "priced")]
interface Priced { const CURRENCY = 'EUR'; public function price(): int|float; }

enum Size: string implements \JsonSerializable {
    case Small = 's';
    case Large = 'l';
    const DEFAULT = self::Small;
    public static function pick(?string $code): ?static { return $code === null ? null : self::tryFrom($code); }
    public function jsonSerialize(): mixed { return ['size' => $this->value, 'name' => $this->name]; }
}

trait Counts {
    private static int $count = 0;
    public static function counted(): int { return ++static::$count; }
    abstract protected function label(string ...$parts): string;
}

abstract class Item implements Priced {
    use Counts { counted as protected total; }
    public private(set) array $tags = ['a' => 1, 'b' => [1, 2, 3]];
    public string $title { get => ucfirst($this->raw ?? ''); set(string $value) { $this->raw = trim($value); } }
    protected ?string $raw = null;
    public function __construct(protected readonly int $id, public ?Item $next = null, float $ratio = 1.5 * 2) { self::counted(); }
    protected function label(string ...$parts): string { return implode(', ', [...$parts, "#{$this->id}"]); }
    public function __get(string $name): mixed { return $this->tags[$name] ?? throw new \OutOfBoundsException("no $name"); }
}

final class Book extends Item {
    public function price(): int|float {
        return match (true) { $this->id < 10 => 5, $this->id < 100 => $this->next?->price() ?? 7, default => throw new \LogicException() };
    }
}

function refs(array &$list, int $step = 2, ...$rest): \Generator {
    foreach ($list as $key => &$value) {
        $got = yield $key => $value;
        if ($got === 'stop') { return $key; }
        $value += $step;
    }
    yield from $rest;
    return null;
}

function process(iterable $items, callable $with): array {
    $out = [];
    $seen ??= [];
    static $calls = 0;
    $calls++;
    foreach ($items as $i => ["name" => $name, "n" => $count, "deep" => ["x" => $x]]) {
        try {
            if ($count <=> 3) { continue; }
            $out[$name][] = @$with($count, ...$x) + $with(1, key: $i);
            while (true) { switch ($name) { case 'a': case 'b': break 2; case 'end': break 3; default: $count--; continue 2; } }
        } catch (\TypeError | \ValueError $e) {
            $out[] = $e->getMessage() . PHP_EOL;
            return $out;
        } finally {
            unset($seen[$name], $e);
            echo "done ", $i++, "\n";
        }
    }
    $twice = static fn(int $n) => $n ** 2 + $calls;
    $bind = function () use (&$out, $twice): void { $out['sum'] = array_sum(array_map($twice, [1, 2, 3])); };
    $bind();
    [$a, [, $b]] = [1, [2, 3]];
    [$a, $b] = [$b, $a];
    $len = strlen(...);
    list('k' => $out['k']) = ['k' => $len("x$a[0]{$b}y")];
    $obj = new class($a) extends Book { public int $extra = 3; };
    $obj::class; $obj->tags['a']['q'][] = &$out; isset($obj->next->next->tags['b'][0], $out["s"]) || empty($out[0]);
    $obj?->next?->label('p')?->x; clone $obj; print (int) "12" <=> 2.0; $GLOBALS['g'] = $a; ${'v' . $a} = 1;
    goto end;
    end:
    return $out + compact('a') + ['t' => $obj instanceof Priced, Size::DEFAULT->value => Size::pick('l')];
}
for ($i = 0, $j = 10; $i < $j; $i++, --$j) { if ($i & 1) continue; do { $j -= .5; } while ($j > 100); }
$gen = refs($list, rest: 3);
exit(process([], fn($x, ...$y) => $x));

<?php
// void, never, static, nullable, union and by-reference returns.
function nothing(): void { return; }
function fail(): never { throw new LogicException('never returns'); }
function bad(): never { }
function maybe(bool $b): ?string { return $b ? 'yes' : null; }
function union(int $n): int|string|false { return match ($n) { 0 => false, 1 => 1, default => 'many' }; }
class F { public static function make(): static { return new static; } public function wrong(): static { return new F; } }
class G extends F {}
function missing(): int { }
function wrong(): int { return 'x'; }
function coerce(): string { return 5; }
var_dump(nothing(), maybe(true), maybe(false), union(0), union(1), union(2), get_class(G::make()), coerce());
foreach (['fail', 'bad', 'missing', 'wrong', fn() => (new G)->wrong()] as $f) {
    try {
        $f();
    } catch (Throwable $e) {
        echo get_class($e), ': ', $e->getMessage(), "\n";
    }
}

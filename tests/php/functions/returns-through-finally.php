<?php
// Declared return types where finally comes between, and what is callable.
function a(): int { try { return "5"; } finally { echo "f\n"; } }
function b(): void { try { return; } finally { echo "g\n"; } }
function c(): ?array { try { return null; } finally { } }
class X { function m(): static { try { return new static; } finally {} } function n(): self { try { return new Y; } finally {} } function o(): callable { try { return fn() => 1; } finally {} } }
class Y extends X { }
function &r(): int { static $x = 1; try { return $x; } finally { $x = 7; } }
function g(): iterable { try { return [1]; } finally { } }
function bad(): int { try { return "x"; } finally { echo "bad\n"; } }
function never1(): never { try { throw new Exception('n'); } finally { echo "nv\n"; } }
var_dump(a(), b(), c(), (new Y)->m(), (new X)->n(), is_callable((new X)->o()), r(), r(), g());
try { bad(); } catch (TypeError $e) { echo $e->getMessage(), "\n"; }
try { never1(); } catch (Exception $e) { echo $e->getMessage(), "\n"; }
function f(callable $x) { return $x(); }
for ($i = 0; $i < 3; $i++) { var_dump(f(fn() => $i), f('time') > 0, f([new class { function __invoke() { return 3; } function z() { return 4; } }, 'z'])); }
class Priv { function go() { return f([$this, 'p']); } private function p() { return 'p'; } }
try { f([new Priv, 'p']); } catch (TypeError $e) { echo $e->getMessage(), "\n"; }

<?php
// Every declared result type, and every way to end.
class C { function s(): static {} function t(): self {} function i($x): ?static { if ($x) return $this; } static function n(): ?self {} function ar(): array|null { foreach ([] as $x) return $x; } function __construct(public int $v = 0) {} }
function a(): mixed {} function b(): ?int {} function c(): int|null {} function d(): null {} function e(): void {} function f(): int {} function g(): string|false|null {}
function h($x): mixed { if ($x) return 1; } function i($x): ?string { if ($x) { return 'a'; } else { $x = 2; } } function j($x): ?array { while ($x) { return []; } }
function k(): never {} function l(): ?C { try { return null; } finally { } } function m($x): ?C { try { if ($x) return null; } finally { $x = 2; } }
function n($x): iterable { if ($x) return [$x]; } function o($x): callable|null { if ($x) return 'strlen'; } function p($x): true|null { if ($x) return true; } function q($x): ?object { switch ($x) { case 1: return null; } }
function r($x): bool { return match (true) { $x => true, default => false }; } function s($x): float { if ($x) return 1; } function t($x): void { if ($x) return; $x = 1; } function u($x) { if ($x) return 1; }
function v($x): int { if ($x) return "5"; return 6; }
function call($f, $x) { try { $r = $f($x); return var_export(is_object($r) ? get_class($r) : $r, true); } catch (TypeError $e) { return $e->getMessage(); } }
$out = [];
for ($i = 0; $i < 60; $i++) {
    foreach (range('a', 'v') as $f) { foreach ([false, true] as $x) { $out["$f-" . (int)$x][call($f, $x)] = 1; } }
    foreach (['s', 't', 'i', 'n', 'ar'] as $m) foreach ([false, true] as $x) $out["C::$m-" . (int)$x][call([new C, $m], $x)] = 1;
}
foreach ($out as $k => $r) echo $k, ': ', implode(' / ', array_keys($r)), "\n";
// Called by name, so that compiled code calls compiled code.
function direct($x) { $n = 0; foreach ([1, 2] as $_) { try { a(); } catch (TypeError) { $n++; } try { b(); } catch (TypeError) { $n++; } try { i($x); } catch (TypeError) { $n++; } try { h($x); } catch (TypeError) { $n++; } try { m($x); } catch (TypeError) { $n++; } try { e(); d(); } catch (TypeError) { $n += 100; } } return $n; }
$n = 0; for ($i = 0; $i < 200; $i++) $n += direct($i % 2 == 0); echo $n, "\n";

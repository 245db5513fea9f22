<?php
// A recursive parser: strings, references by position, exceptions.
final class JsonReader
{
    private int $at = 0;
    public function __construct(private readonly string $text) {}
    public function read(): mixed { $v = $this->value(); $this->blank(); if ($this->at < strlen($this->text)) { $this->fail('trailing text'); } return $v; }
    private function fail(string $why): never { throw new UnexpectedValueException("$why at $this->at"); }
    private function blank(): void { $this->at += strspn($this->text, " \t\r\n", $this->at); }
    private function value(): mixed
    {
        $this->blank();
        return match ($c = $this->text[$this->at] ?? '') {
            '{' => $this->members(),
            '[' => $this->elements(),
            '"' => $this->string(),
            't', 'f', 'n' => $this->word(),
            default => $c === '-' || ctype($c) ? $this->number() : $this->fail('unexpected ' . ($c === '' ? 'end' : $c)),
        };
    }
    private function members(): array { $r = []; $this->at++; while (true) { $this->blank(); if ($this->take('}')) { return $r; } if ($r && !$this->take(',')) { $this->fail('comma expected'); } $this->blank(); $k = $this->string(); $this->blank(); $this->take(':') || $this->fail('colon expected'); $r[$k] = $this->value(); } }
    private function elements(): array { $r = []; $this->at++; while (true) { $this->blank(); if ($this->take(']')) { return $r; } if ($r && !$this->take(',')) { $this->fail('comma expected'); } $r[] = $this->value(); } }
    private function take(string $c): bool { if (($this->text[$this->at] ?? null) === $c) { $this->at++; return true; } return false; }
    private function string(): string { $end = strpos($this->text, '"', $this->at + 1); if ($end === false) { $this->fail('open string'); } $s = substr($this->text, $this->at + 1, $end - $this->at - 1); $this->at = $end + 1; return $s; }
    private function word(): ?bool { foreach (['true' => true, 'false' => false, 'null' => null] as $w => $v) { if (substr($this->text, $this->at, strlen($w)) === $w) { $this->at += strlen($w); return $v; } } $this->fail('unknown word'); }
    private function number(): int|float { $n = strspn($this->text, '-0123456789.eE+', $this->at); $s = substr($this->text, $this->at, $n); $this->at += $n; return 0 + $s; }
}
function ctype(string $c): bool { return $c >= '0' && $c <= '9'; }
foreach (['{"a": [1, 2.5, -3e2], "b": {"c": null, "d": true}}', '[]', '"x"', '[1 2]', '{"a" 1}', '[tru]', '"open', '', '[[[[1]]]]', '1 1'] as $text) {
    try {
        echo var_export((new JsonReader($text))->read(), true), "\n";
    } catch (UnexpectedValueException $e) {
        echo $text, ': ', $e->getMessage(), "\n";
    }
}

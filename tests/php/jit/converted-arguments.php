<?php
// Arguments that parameters convert, in compiled code, and methods that take references.
function text(string $a, ?string $b = null, float $c = 0.0): string
{
    return strlen($a) . $a . ($b ?? 'null') . $c;
}

function number(int $a): int
{
    return $a + 1;
}

function truth(bool $a): string
{
    return $a ? 'yes' : 'no';
}

class Scanner
{
    private int $at = 0;
    public int $steps = 0;

    public function __construct(private string $text)
    {
    }

    public function next(?string &$token, array &$seen = []): bool
    {
        if ($this->at >= strlen($this->text)) {
            return false;
        }
        $token = $this->text[$this->at++];
        $seen[$token] = ($seen[$token] ?? 0) + 1;
        return true;
    }

    private function skip(int &$count, string $char): void
    {
        if ($this->text[$this->at - 1] === $char) {
            $count++;
        }
    }

    public function all(): array
    {
        $seen = [];
        $token = null;
        $spaces = 0;
        while ($this->next($token, $seen)) {
            $this->skip($spaces, ' ');
            $this->steps++;
        }
        return [$seen, $spaces, $token];
    }
}

class Louder extends Scanner
{
    public function next(?string &$token, array &$seen = []): bool
    {
        $found = parent::next($token, $seen);
        $token = strtoupper((string) $token);
        return $found;
    }
}

for ($round = 0; $round < 200; $round++) {
    $out = [text('a'), text(12, 3), text(1.5, true, 2), text(false, null, 7), number('41'), number(1.0), number(true), truth(0), truth('x'), truth(1.5)];
    foreach ([[], 'x', null, new stdClass()] as $wrong) {
        try {
            $out[] = number($wrong);
        } catch (TypeError $error) {
            $out[] = strstr($error->getMessage(), ', called', true);
        }
    }
    $scanner = $round % 4 === 3 ? new Louder("a b a") : new Scanner("a b  ab");
    $out[] = $scanner->all();
    $out[] = $scanner->steps;
    if ($round < 4 || $round >= 196) {
        echo json_encode($out), "\n";
    }
}

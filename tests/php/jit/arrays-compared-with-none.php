<?php
// `=== []` and the like, and a string that is joined with itself, in compiled code.
class Mark
{
    private string $char = '*';
    public array $items = [];

    public function twice(): string
    {
        return $this->char . $this->char;
    }

    public function hasNone(): bool
    {
        return $this->items === [];
    }

    public function long(string $more): string
    {
        $text = $this->char . $more;
        return $text . $text;
    }
}

function looks(mixed $value): string
{
    $text = $value === [] ? 'none' : 'some';
    $text .= $value !== [] ? '!' : '.';
    if ([] === $value) {
        $text .= 'same';
    }
    return $text;
}

function loosely($value): string
{
    return ($value == [] ? 'none' : 'some') . ([] != $value ? '!' : '.');
}

$mark = new Mark();
for ($round = 0; $round < 300; $round++) {
    $mark->items = $round % 3 ? [] : [$round];
    $out = [$mark->twice(), $mark->long("b$round"), $mark->hasNone(), looks([]), looks([1]), looks(null), looks(''), looks($mark->items), loosely([]), loosely(['k' => 1]), loosely(null), loosely(0), loosely(false)];
    if ($round < 3 || $round === 299) {
        echo json_encode($out), "\n";
    }
}

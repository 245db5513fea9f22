<?php
declare(strict_types=1);

namespace Site\View;

class Section implements \Stringable
{
    public array $crumbs = [];

    public function __construct(private string $title)
    {
    }

    public function under(string $name, ?string $link = null): static
    {
        $this->crumbs[] = [$name, $link];
        return $this;
    }

    public function __toString(): string
    {
        return implode(' · ', [...array_reverse(array_column($this->crumbs, 0)), $this->title]);
    }
}

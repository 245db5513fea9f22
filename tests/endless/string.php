<?php
class Name
{
    function __construct(public int $depth) {}
    function __toString(): string { return 'a' . new Name($this->depth + 1) . $this->depth; }
}
for ($i = 0; $i < 3; $i++) {
    echo new Name($i);
}

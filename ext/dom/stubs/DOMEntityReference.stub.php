<?php
class DOMEntityReference extends \DOMNode {
    public function __construct(string $name) {}
}

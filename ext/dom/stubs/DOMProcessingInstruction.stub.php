<?php
class DOMProcessingInstruction extends \DOMNode {
    public string $target { get {} }
    public string $data { get {} set {} }
    public function __construct(string $name, string $value = "") {}
}

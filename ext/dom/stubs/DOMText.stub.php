<?php
class DOMText extends \DOMCharacterData {
    public string $wholeText { get {} }
    public function __construct(string $data = "") {}
    public function isWhitespaceInElementContent(): bool {}
    public function isElementContentWhitespace(): bool {}
    public function splitText(int $offset) {}
}

<?php
class DOMComment extends \DOMCharacterData {
    public function __construct(string $data = "") {}
}

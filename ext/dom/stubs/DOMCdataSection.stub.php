<?php
class DOMCdataSection extends \DOMText {
    public function __construct(string $data) {}
}

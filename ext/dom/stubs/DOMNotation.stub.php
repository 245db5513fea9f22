<?php
class DOMNotation extends \DOMNode {
    public string $publicId { get {} }
    public string $systemId { get {} }
}

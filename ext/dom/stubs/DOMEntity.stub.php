<?php
class DOMEntity extends \DOMNode {
    public ?string $publicId { get {} }
    public ?string $systemId { get {} }
    public ?string $notationName { get {} }
    public ?string $actualEncoding { get {} }
    public ?string $encoding { get {} }
    public ?string $version { get {} }
}

<?php
class DOMDocumentType extends \DOMNode {
    public string $name { get {} }
    public \DOMNamedNodeMap $entities { get {} }
    public \DOMNamedNodeMap $notations { get {} }
    public string $publicId { get {} }
    public string $systemId { get {} }
    public ?string $internalSubset { get {} }
}

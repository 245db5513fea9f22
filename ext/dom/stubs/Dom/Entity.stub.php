<?php
namespace Dom; class Entity extends \Dom\Node {
    public ?string $publicId { get {} }
    public ?string $systemId { get {} }
    public ?string $notationName { get {} }
}

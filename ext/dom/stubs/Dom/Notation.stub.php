<?php
namespace Dom; class Notation extends \Dom\Node {
    public string $publicId { get {} }
    public string $systemId { get {} }
}

<?php
class DOMImplementation {
    public function hasFeature(string $feature, string $version): bool {}
    public function createDocumentType(string $qualifiedName, string $publicId = "", string $systemId = "") {}
    public function createDocument(?string $namespace = null, string $qualifiedName = "", ?\DOMDocumentType $doctype = null): \DOMDocument {}
}

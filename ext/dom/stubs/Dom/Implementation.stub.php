<?php
namespace Dom; class Implementation {
    #[real_return] public function createDocumentType(string $qualifiedName, string $publicId, string $systemId): \Dom\DocumentType {}
    #[real_return] public function createDocument(?string $namespace, string $qualifiedName, ?\Dom\DocumentType $doctype = null): \Dom\XMLDocument {}
    #[real_return] public function createHTMLDocument(?string $title = null): \Dom\HTMLDocument {}
}

<?php
// Canonical text of documents that were built, doctypes without names.
$doc = Dom\XMLDocument::createEmpty();
$root = $doc->createElementNS('urn:envelope', 'env:Root');
$doc->appendChild($root);
$child = $doc->createElementNS('urn:child', 'x:Child');
$root->appendChild($child);
$child->setAttributeNS('urn:a', 'a:b', '1');
$child->setAttribute('plain', '2');
$root->appendChild($doc->createElementNS('urn:envelope', 'env:Second'));
$root->appendChild($doc->createElement('third'));
echo $doc->C14N(), "\n", $doc->C14N(true), "\n", $doc->saveXml(), $doc->C14N(), "\n";
foreach ([['', ''], ['p', ''], ['', 's'], ['p', 's']] as [$public, $system]) {
    $type = $doc->implementation->createDocumentType('q', $public, $system);
    var_dump($type->publicId, $type->systemId);
    echo $doc->implementation->createDocument(null, 'r', $type)->saveXml(), "\n";
}

<?php
// Namespaces of what is canonicalised, copied and moved between documents.
$old = new DOMDocument();
$old->loadXML('<root xmlns:a="urn:a"><a:b c="d">t&amp;x<!-- c --></a:b></root>');
echo $old->C14N(), "\n", $old->documentElement->firstChild->C14N(), "\n", $old->documentElement->firstChild->C14N(true, true), "\n";
$new = Dom\XMLDocument::createFromString('<root xmlns:a="urn:a" xmlns="urn:d" a:x="1"><a:b c="d">t&amp;x</a:b></root>');
echo $new->C14N(), "\n", $new->documentElement->firstChild->C14N(), "\n";
$copy = $new->cloneNode(true);
echo $copy->saveXml($copy->documentElement->cloneNode(true)), "\n", (clone $new)->saveXml(), "\n";
$html = Dom\HTMLDocument::createFromString('<!DOCTYPE html><p>x</p>');
$html->body->appendChild($html->importNode($new->documentElement, true));
echo $html->saveXml($html->body), "\n", $html->saveHtml($html->body), "\n";
$html->body->appendChild($html->importLegacyNode($old->documentElement, true));
echo $html->saveXml($html->body), "\n";
$html->body = $html->createElement('frameset');
echo $html->saveHtml(), "\n";
foreach ([$html->createElement('p'), null, new stdClass()] as $body) {
    try {
        $html->body = $body;
    } catch (Throwable $e) {
        echo $e::class, ': ', $e->getMessage(), "\n";
    }
}
try {
    $attribute = new DOMAttr('a');
    $attribute->value = new ArrayObject();
} catch (TypeError $e) {
    echo $e->getMessage(), "\n";
}
var_dump($new->documentElement->lookupPrefix('urn:a'), $new->documentElement->firstChild->lookupPrefix('urn:d'));
$page = new DOMDocument();
$page->loadHTML('<html><head><title>t</title></head><body><p>a');
$page->saveHTMLFile('php://output');

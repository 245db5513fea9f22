<?php
$document = new DOMDocument;
$document->loadXML('<list xmlns:x="urn:x"><item id="1">one &amp; only</item><x:item/><!--c--></list>');
$list = $document->documentElement;
foreach ($list->childNodes as $index => $node) {
    echo $index, ' ', $node->nodeType, ' ', $node->nodeName, ' ', var_export($node->namespaceURI, true), "\n";
}
var_dump($list->firstChild === $document->getElementsByTagName('item')->item(0));
var_dump($document->getElementsByTagName('item')->length, $document->getElementsByTagNameNS('urn:x', '*')[0]->tagName);

// Moving, replacing, removing.
$new = $document->createElement('item', 'two');
$new->setAttribute('id', '2');
$list->insertBefore($new, $list->lastChild);
$list->removeChild($list->firstChild);
$fragment = $document->createDocumentFragment();
$fragment->appendXML('<a/>text<b/>');
$list->append($fragment, 'tail');
echo $document->saveXML();
try {
    $list->appendChild($document);
} catch (DOMException $e) {
    echo $e->getCode(), ' ', $e->getMessage(), "\n";
}
try {
    $list->nodeType = 3;
} catch (Error $e) {
    echo $e->getMessage(), "\n";
}

// Another document.
$other = new DOMDocument;
$other->appendChild($other->importNode($list, true));
$other->documentElement->appendChild($other->adoptNode($list->lastChild));
echo $other->saveXML($other->documentElement), "\n";

// XPath, with a function of ours.
$xpath = new DOMXPath($document);
$xpath->registerNamespace('php', 'http://php.net/xpath');
$xpath->registerPhpFunctions('strtoupper');
var_dump($xpath->evaluate('count(//item)'), $xpath->evaluate('php:functionString("strtoupper", //item/@id/..)'));
var_dump($xpath->query('//nothing')->length, @$xpath->query('//['));

// Damaged text.
libxml_use_internal_errors(true);
var_dump($document->loadXML('<a><b></a>'));
foreach (libxml_get_errors() as $error) {
    echo $error->level, ' ', $error->code, ' ', trim($error->message), "\n";
}
libxml_use_internal_errors(false);
$document->loadHTML('<p>Hello<br>world');
echo $document->saveHTML();

class Element extends DOMElement {
    function shout() { return strtoupper($this->textContent); }
}
$document = new DOMDocument;
$document->registerNodeClass('DOMElement', 'Element');
$document->loadXML('<a><b>x</b></a>');
echo $document->documentElement->firstChild->shout(), "\n";
$copy = clone $document->documentElement;
$copy->firstChild->nodeValue = 'y';
echo $document->saveXML($copy), $document->saveXML($document->documentElement), "\n";

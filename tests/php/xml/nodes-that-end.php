<?php
// A node outside of a document ends with its object; those below it that have objects are alone from then on.
$doc = new DOMDocument;
$text = $doc->appendChild($doc->createElement('container'))->appendChild($doc->createTextNode('one'));
$other = $doc->documentElement->appendChild($doc->createTextNode('two'));
$doc->documentElement->remove();
var_dump($text->parentNode, $other->previousSibling, $doc->saveXML($text));

$root = $doc->createElement('root');
$attribute = $root->setAttributeNode($doc->createAttribute('a'));
$attribute = $root->getAttributeNode('a');
$inner = $root->appendChild($doc->createElement('b'))->appendChild($doc->createElement('c'));
$deep = $inner->appendChild($doc->createElement('d'));
var_dump($attribute->ownerElement->nodeName, $inner->parentNode->parentNode->nodeName);
$root = null;
var_dump($attribute->ownerElement, $inner->parentNode, $deep->parentNode->nodeName);

// A list keeps the node whose children it shows, and a declaration of a namespace its element.
$root = $doc->createElement('root');
$root->appendChild($doc->createElement('x'));
$list = $root->childNodes;
$child = $list->item(0);
$root = null;
var_dump($child->parentNode->nodeName, $list->length);
$list = null;
var_dump($child->parentNode);

$doc->loadXML('<r xmlns:p="urn:p"><s/></r>');
$declaration = $doc->documentElement->getAttributeNode('xmlns:p');
$s = $doc->documentElement->firstChild;
$doc->documentElement->remove();
var_dump($s->parentNode->nodeName, $declaration->parentNode->nodeName);
$declaration = null;
var_dump($s->parentNode);

$modern = Dom\XMLDocument::createFromString('<r><s/></r>');
$s = $modern->documentElement->firstChild;
$modern->documentElement->remove();
var_dump($s->parentNode, $s->getRootNode() === $s);

// Nodes without a document cannot be changed.
foreach ([new DOMElement('a'), new DOMAttr('b', 'c'), new DOMDocumentFragment] as $node) {
    foreach (['appendChild', 'insertBefore'] as $method) {
        try {
            $node->$method(new DOMText('t'));
        } catch (DOMException $e) {
            echo get_class($node), "::$method: ", $e->getMessage(), "\n";
        }
    }
}
try {
    (new DOMDocumentFragment)->appendXML('<a/>');
} catch (DOMException $e) {
    echo $e->getMessage(), "\n";
}

class NoDocument extends DOMXPath
{
    function __construct() {}
}
$xpath = new NoDocument;
var_dump($xpath->registerNodeNamespaces);
try {
    var_dump($xpath->document);
} catch (DOMException $e) {
    echo $e->getMessage(), "\n";
}
try {
    (new DOMXPath($doc))->registerPhpFunctions('nonexistent');
} catch (TypeError $e) {
    echo $e->getMessage(), "\n";
}

<?php
// An attribute that joins an element brings its namespace, under another prefix where its own means something else.
$document = new DOMDocument;
$document->loadXML('<r xmlns:p="u:outer" p:a="1"><s xmlns:p="u:inner"/></r>');
$copy = $document->documentElement->getAttributeNodeNS('u:outer', 'a')->cloneNode(true);
$document->documentElement->firstChild->setAttributeNodeNS($copy);
echo $document->saveXML();

$document = new DOMDocument;
$document->appendChild($document->createElement('r'));
$document->documentElement->setAttributeNodeNS($document->createAttributeNS('http://www.w3.org/2000/xmlns/', 'xmlns'));
echo $document->saveXML();

// A prefix without a namespace is nothing for a document's root.
echo (new DOMImplementation)->createDocument('', 'p:q')->saveXML();

<?php
// What setting a value does: references count in the old classes, and only some nodes have a value in the new ones.
function attempt(callable $do): void
{
    try {
        $do();
    } catch (Error $e) {
        echo get_class($e), ': ', $e->getMessage(), "\n";
    }
}

$document = new DOMDocument;
$document->loadXML('<r a="1">x<b/></r>');
$root = $document->documentElement;
$root->nodeValue = 'v&w';
$root->nodeValue = 'v&lt;w';
$root->attributes[0]->nodeValue = 'a&b';
$root->attributes[0]->value = 'a&lt;b';
$root->setAttribute('q', 'a&b&lt;');
echo $document->saveXML();
$root->nodeValue = null;
echo $document->saveXML();
echo $document->saveXML($document->createElement('empty', '')), "\n";
echo $document->saveXML($document->createElementNS('urn:x', 'x:empty')), "\n";
var_dump((new DOMElement('x', '&lt;&'))->nodeValue);

$html = Dom\HTMLDocument::createFromString('<p id=a>x<!--c--></p>', LIBXML_NOERROR);
$p = $html->getElementById('a');
attempt(fn() => $p->nodeValue = 'v');
attempt(fn() => $html->nodeValue = 'v');
attempt(fn() => $p->firstChild->nodeValue = 'a&b');
attempt(fn() => $p->attributes[0]->nodeValue = 'n&');
echo $html->saveHtml($p), "\n";

// A node outside of documents has no such property.
var_dump(array_key_exists('ownerDocument', (array) get_mangled_object_vars(new DOMText('x'))));
ob_start();
var_dump(new DOMText('x'), new DOMElement('x'), new DOMDocument);
echo substr_count(ob_get_clean(), 'ownerDocument'), "\n";

attempt(fn() => $document->registerNodeClass('DOMElement', 'stdClass'));
attempt(fn() => $document->registerNodeClass('Missing', 'stdClass'));
attempt(fn() => $document->registerNodeClass('DOMElement', 'Missing'));

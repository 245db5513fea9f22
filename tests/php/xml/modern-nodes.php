<?php
// Small rules of the new DOM.
$document = Dom\HTMLDocument::createFromString('<!DOCTYPE html><p id="i">x<b>y</b></p>', LIBXML_NOERROR);
$paragraph = $document->querySelector('p');
var_dump($document->contains($paragraph), $paragraph->contains($document), $paragraph->contains(null));
echo $paragraph->C14N(), "\n", $document->body->C14N(), "\n";
echo $document->saveHtml(), "\n";
var_dump($document->createComment('c'));
foreach ([1.5, null, new ArrayObject(), [], true] as $wrong) {
    try {
        $paragraph->append('text', $wrong);
    } catch (TypeError $error) {
        echo $error->getMessage(), "\n";
    }
}
$other = Dom\XMLDocument::createFromString('<r xmlns="urn:r"><a/></r>');
echo $other->documentElement->C14N(), "\n", $other->documentElement->firstChild->C14N(), "\n";
$made = Dom\XMLDocument::createEmpty();
$made->append($made->createElementNS('urn:d', 'd'));
$made->documentElement->append($made->createElementNS('urn:p', 'p:e'));
echo $made->C14N(), "\n", $made->saveXml(), "\n";
try {
    (new Dom\XPath($document))->query('//p', $other);
} catch (Error $error) {
    echo get_class($error), ': ', $error->getMessage(), "\n";
}
$fragment = (new DOMDocument())->createDocumentFragment();
var_dump($fragment->appendXML(''));

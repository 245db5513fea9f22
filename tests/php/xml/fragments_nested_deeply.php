<?php
// A piece of XML may be nested 256 levels deep. What is refused leaves the fragment as it was, and the document as usable.
$document = new DOMDocument;
$document->loadXML('<a><b/></a>');
libxml_use_internal_errors(true);
foreach ([1, 100, 255] as $depth) {
    $fragment = $document->createDocumentFragment();
    var_dump($fragment->appendXML(str_repeat('<x y="z">', $depth) . 't' . str_repeat('</x>', $depth)));
    echo strlen($document->saveXML($fragment)), "\n";
    var_dump($fragment->appendXML(str_repeat('<x>', $depth)));
    var_dump($fragment->appendXML('<p:q/>'), count(libxml_get_errors()) > 0);
    libxml_clear_errors();
    $document->documentElement->appendChild($fragment);
    $copy = $document->documentElement->lastChild->cloneNode(true);
    echo $copy->nodeName, ' ', $document->getElementsByTagName('x')->length, "\n";
    $document->documentElement->removeChild($document->documentElement->lastChild);
}
$empty = new DOMDocument;
foreach ([256, 257, 500] as $depth) {
    $fragment = $empty->createDocumentFragment();
    var_dump($fragment->appendXML(str_repeat('<x>', $depth)), $fragment->childNodes->length);
}

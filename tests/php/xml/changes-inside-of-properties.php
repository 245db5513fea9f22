<?php
// A builtin class gives copies of what its properties are: changes inside of them are lost, or refused as for any value.
function attempt(callable $do)
{
    try {
        var_dump($do());
    } catch (Error $e) {
        echo get_class($e), ': ', $e->getMessage(), "\n";
    }
}
$document = new DOMDocument;
$document->loadXML('<a/>');
attempt(fn() => $document->doctype->x = 1);
attempt(fn() => $document->doctype->x->y = 1);
attempt(fn() => $document->documentElement->nextSibling->nodeValue = 'x');
attempt(fn() => $document->xmlVersion->x = 1);
attempt(fn() => $document->doctype->x++);
attempt(fn() => $document->doctype->x .= 'a');
attempt(fn() => $document->xmlVersion[] = 1);
attempt(fn() => $document->doctype[] = 1);
attempt(function () use ($document) { $reference = &$document->doctype; $reference = 5; return $document->doctype; });
attempt(function () use ($document) { unset($document->doctype->x, $document->doctype['a']); return 'unset'; });
attempt(function () use ($document) { foreach ($document->doctype as &$one) { } return 'looped'; });
attempt(fn() => $document->documentElement->childNodes->length->x = 1);
attempt(fn() => $document->documentElement->ownerDocument->documentElement->nodeValue = 'text');
echo $document->saveXML();

// The error of a document type's name.
foreach (['a b', '1a', 'a:b:c', ':a', 'p:q', ''] as $name) {
    try {
        echo Dom\XMLDocument::createEmpty()->implementation->createDocumentType($name, '', '')->name, "\n";
    } catch (DOMException $e) {
        echo $e->getCode(), ' ', $e->getMessage(), "\n";
    }
}

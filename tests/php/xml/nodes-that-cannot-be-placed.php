<?php
// Nodes among the children of an attribute, objects that stand for no node, files that cannot be written or named.
function refused(callable $body): void
{
    try {
        var_dump($body());
    } catch (DOMException | Error $error) {
        echo get_class($error), ': ', $error->getMessage(), "\n";
    }
}

$document = new DOMDocument;
$root = $document->appendChild($document->createElement('r'));
$attribute = $document->createAttribute('a');
$text = $attribute->appendChild($document->createTextNode('x'));
refused(fn() => $text->before($document->createComment('c')));
refused(fn() => $text->after('y'));
refused(fn() => $root->append('x', new DOMEntity));
refused(fn() => $root->append(new DOMEntity));
refused(fn() => $root->C14NFile('/nowhere/at/all.xml'));
refused(fn() => Dom\XMLDocument::createFromFile(''));
echo $document->saveXML($root), "\n";

$page = Dom\HTMLDocument::createFromString('<p>x', LIBXML_NOERROR);
foreach (['latin1', 'ISO-8859-1', 'sjis', ' utf-8', 'nobody'] as $label) {
    refused(fn() => $page->characterSet = $label);
    echo $page->inputEncoding, "\n";
}
refused(fn() => $page->querySelector('col || td'));
refused(fn() => $page->querySelector('col || p'));
refused(fn() => $page->querySelector('col || ['));

$page = Dom\HTMLDocument::createFromString(
    '<fieldset disabled><legend><fieldset id=a></fieldset></legend><fieldset id=b></fieldset></fieldset>'
        . '<fieldset disabled><fieldset id=c></fieldset></fieldset>',
    LIBXML_NOERROR
);
foreach ($page->querySelectorAll('fieldset[id]:disabled') as $fieldset) {
    echo $fieldset->id, "\n";
}

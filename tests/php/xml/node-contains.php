<?php
$d = new DOMDocument;
$d->loadXML('<r xmlns:x="urn:x"><a/></r>');
$r = $d->documentElement;
foreach ([null, $r, $r->firstChild, $d, $r->getAttributeNode('xmlns:x'), new stdClass, 'a', 1, Dom\XMLDocument::createEmpty()] as $other) {
    try {
        var_dump($r->contains($other));
    } catch (TypeError $e) {
        echo $e->getMessage(), "\n";
    }
}
// Only strings are words of a list.
$list = Dom\HTMLDocument::createFromString('<!doctype html><p class="a b">')->body->firstChild->classList;
foreach ([[0], ['a', null], [new class { function __toString() { return 'b'; } }], ['c']] as $words) {
    try {
        $list->add(...$words);
        $list->remove(...$words);
    } catch (TypeError $e) {
        echo $e->getMessage(), "\n";
    }
}
echo $list->value, "\n";

<?php
// Maps of nodes refuse places that they cannot have, lists do not.
$document = new DOMDocument;
$document->loadXML('<!DOCTYPE a [<!ENTITY e "x">]><a b="1"/>');
$html = Dom\HTMLDocument::createFromString('<p a=1>', LIBXML_NOERROR);
$xml = Dom\XMLDocument::createFromString('<!DOCTYPE a [<!ENTITY e "x">]><a b="1"/>');
$lists = [
    $document->documentElement->attributes, $document->childNodes, $document->doctype->entities,
    $html->querySelector('p')->attributes, $html->getElementsByTagName('p'), $xml->doctype->entities, $html->childNodes,
];
foreach ($lists as $list) {
    foreach ([0, 5, -1, 2147483647, 2147483648, PHP_INT_MIN] as $place) {
        foreach ([fn() => $list->item($place), fn() => isset($list[$place])] as $get) {
            try {
                $found = $get();
                echo get_class($list), " $place: ", is_object($found) ? get_class($found) : json_encode($found), "\n";
            } catch (Error $e) {
                echo get_class($list), " $place: ", get_class($e), ': ', $e->getMessage(), "\n";
            }
        }
    }
}
foreach ([-1, 2147483648] as $place) {
    try {
        var_dump($document->documentElement->attributes[$place]);
    } catch (Error $e) {
        echo $e->getMessage(), "\n";
    }
}

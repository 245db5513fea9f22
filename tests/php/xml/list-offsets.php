<?php
// What offsets of node lists, maps and collections mean.
$new = Dom\XMLDocument::createFromString('<root a="1" b="2"><x id="one"/><x id="two"/></root>');
$old = new DOMDocument;
$old->loadXML('<root a="1" b="2"><x id="one"/><x id="two"/></root>');
$lists = [
    $new->documentElement->childNodes, $new->documentElement->attributes, $new->getElementsByTagName('x'),
    $old->documentElement->childNodes, $old->documentElement->attributes, $old->getElementsByTagName('x'),
];
foreach ($lists as $list) {
    foreach ([0, -1, 5, 1.5, true, null, '1', '', 'b', 'two', [1]] as $offset) {
        echo $list::class, '[', json_encode($offset), '] ';
        try {
            echo isset($list[$offset]) ? 'set ' : 'not set ';
        } catch (Error $e) {
            echo $e->getMessage(), ' ';
        }
        try {
            echo $list[$offset]?->nodeName, "\n";
        } catch (Error $e) {
            echo $e->getMessage(), "\n";
        }
    }
}
// The first element of the tree with an id, also after changes.
[$one, $two] = iterator_to_array($new->getElementsByTagName('x'), false);
$two->id = 'same';
echo $new->getElementById('same') === $two ? 'second' : 'first', "\n";
$one->id = 'same';
echo $new->getElementById('same') === $two ? 'second' : 'first', "\n";
// The prefix xml is always declared.
$empty = Dom\XMLDocument::createEmpty();
$root = $empty->appendChild($empty->createElementNS('http://www.w3.org/XML/1998/namespace', 'xml:root'));
$root->setAttributeNode($empty->createAttributeNS('http://www.w3.org/XML/1998/namespace', 'xml:lang'));
echo $empty->saveXml($root), "\n";

<?php
// Words of a class list may go and come while the list is iterated.
$document = Dom\XMLDocument::createFromString('<r class="a b c d e"/>');
$list = $document->documentElement->classList;
foreach ($list as $index => $word) {
    echo "$index $word\n";
    $list->remove('a', 'd');
}
$list->value = 'k l m n';
foreach ($list as $index => $word) {
    echo "$index $word\n";
    if ($word === 'l') {
        $list->remove('l', 'm');
        $list->add('o');
    }
}
foreach ($list as $index => $word) {
    echo "$index $word\n";
    $list->remove($word);
}
var_dump($list->length);

<?php
// Selectors that are refused, and those whose namespace or argument is not looked at.
$document = Dom\HTMLDocument::createFromString('<div lang=en><p id=x a=1>x<b></b></div><svg><circle/></svg>', LIBXML_NOERROR);
$selectors = [
    'svg|circle', '*|p', '|p', 'none|p', 'a|*', 'p||b', 'svg|', '[|id]', '[svg|id]', '[*|id]',
    ':current(div)', ':current', ':current()', ':is()', ':not()', ':has()', ':nth-child()', ':nth-of-type(2n+)',
    ':nope(x)', ':nope', '::nope(x)', '::before', ':before', ':hover', '::hover', ':lang', ':lang(en)', ':dir(ltr)',
    ':past(p)', ':past', ':scope', '.1', '.1a', '[a=1]', '[a="1"]', '[1a]', ':not(p', ':not(', ':link()', ':blank',
];
foreach ($selectors as $selector) {
    try {
        $names = array_map(fn($element) => $element->tagName, iterator_to_array($document->querySelectorAll($selector)));
        echo $selector, ' => ', implode(' ', $names), "\n";
    } catch (DOMException $e) {
        echo $selector, ': ', $e->getMessage(), "\n";
    }
}

<?php
$dom = Dom\HTMLDocument::createFromString(<<<'HTML'
<!DOCTYPE html><main id=m class="x y"><h1 title="A-b">1</h1><p lang=en-us>2</p><p lang=en class=y>3<a href=#>4</a></p>
<ul><li>a<li class=two>b<li>c<li>d</ul><form><input type=checkbox checked><input disabled><textarea required></textarea>
<fieldset disabled><legend><fieldset id=in></fieldset></legend><fieldset id=out></fieldset></fieldset></form><div></div></main>
HTML);
foreach (['main', 'MAIN > p', '#m.x .y', 'h1 + p', 'h1 ~ p', 'p, h1', '[lang|=en]', '[lang=EN i]', '[title^="A"]', '[title$=b]',
          '[title*="-"]', '[class~=y]', 'li:first-child', 'li:nth-child(2n)', 'li:nth-last-child(-n+2)', 'li:nth-child(odd of :not(.two))',
          'li:not(.two)', ':is(h1, ul) + *', 'p:has(> a)', 'p:has(+ ul)', 'main:has(li)', ':checked', 'input:disabled', 'fieldset:enabled',
          ':required', 'div:empty', ':any-link', ':root', 'p:last-of-type', 'ul li:only-child', ':hover', '\6c i.two', 'a /* c */ , h1'] as $selector) {
    $found = [];
    foreach ($dom->querySelectorAll($selector) as $node) {
        $found[] = $node->localName . ($node->id !== '' ? "#$node->id" : '') . ($node->firstChild instanceof Dom\Text ? '(' . trim($node->firstChild->data) . ')' : '');
    }
    echo $selector, ': ', implode(' ', $found), "\n";
    $first = $dom->querySelector($selector);
    var_dump($first === $dom->querySelectorAll($selector)[0]);
}
$a = $dom->querySelector('a');
var_dump($a->matches('p a'), $a->matches('h1 a'), $a->closest('p')->getAttribute('lang'), $a->closest('ul'));
foreach (['', 'a >', '@x', 'a::before', ':lang(en)', '[x', '.', ':blank', ':nth-col(1)', 'a,,b', ':not('] as $wrong) {
    try {
        $dom->querySelector($wrong);
    } catch (DOMException $e) {
        echo $e->getCode(), ' ', $e->getMessage(), "\n";
    }
}

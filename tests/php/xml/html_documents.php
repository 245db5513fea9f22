<?php
use Dom\HTMLDocument;

// Reading as the HTML standard says, and writing back.
$dom = HTMLDocument::createFromString('<!DOCTYPE html><title>T&auml;st</title><p class="a b a">eins<p>zwei<br>&lt;&nbsp;<table>x<tr><td>1</table><svg viewbox="0"><path xlink:href="#"/></svg><!-- c --><script>a < b && c</script>', LIBXML_NOERROR);
echo $dom->saveHtml(), "\n", $dom->saveXml($dom->body), "\n";
echo $dom->title, ' ', $dom->charset, ' ', $dom->documentElement->tagName, ' ', $dom->getElementsByTagName('P')->length, "\n";
echo get_class($dom->body), ' ', get_class($dom->querySelector('svg')), ' ', $dom->querySelector('svg')->tagName, "\n";

echo "-- encodings and options\n";
echo HTMLDocument::createFromString("<meta charset=iso-8859-1>\xe4", LIBXML_NOERROR)->body->textContent, "\n";
echo bin2hex(HTMLDocument::createFromString("\xe4", LIBXML_NOERROR, 'latin1')->saveHtml()), "\n";
echo HTMLDocument::createFromString("\u{feff}<p>x", LIBXML_NOERROR)->charset, "\n";
echo HTMLDocument::createFromString('<p>x</p><b>y', LIBXML_NOERROR | LIBXML_HTML_NOIMPLIED)->saveHtml(), "\n";
var_dump(HTMLDocument::createFromString('<p>', LIBXML_NOERROR | Dom\HTML_NO_DEFAULT_NS)->querySelector('p')->namespaceURI);
HTMLDocument::createFromString(" <!-- c -->\n<p>x");

echo "-- innerHTML\n";
$p = $dom->querySelector('p');
$p->innerHTML = 'a<b>c<i>d</b>e</i><td>';
echo $p->innerHTML, "\n";
$table = $dom->querySelector('table');
$table->innerHTML = '<td>cell';
echo $table->innerHTML, "\n";

echo "-- classes\n";
$list = $p->classList;
var_dump(count($list), $list[1], $list->contains('b'), $list === $p->classList);
$list->add('c', 'a');
$list->remove('b');
var_dump($list->toggle('d'), $list->toggle('d'), $list->replace('c', 'e'), $p->className);
foreach ($list as $index => $class) echo "$index $class\n";

echo "-- new documents\n";
$new = HTMLDocument::createEmpty();
$new->append($new->createElement('DIV'), $new->createComment('x'));
$new->documentElement->append($new->createElementNS('urn:x', 'y:z'), $new->createElement('br'));
echo $new->saveHtml(), ' ', $new->saveXml(), "\n";
echo $dom->implementation->createHTMLDocument('<T>')->saveHtml(), "\n";

foreach ([fn() => HTMLDocument::createEmpty('none'), fn() => HTMLDocument::createFromString('', 1),
          fn() => HTMLDocument::createFromString('', 0, 'none'), fn() => $list->add('a b'), fn() => $list->add(''),
          fn() => $list->supports('x'), fn() => $dom->createCDATASection('x')] as $wrong) {
    try {
        $wrong();
    } catch (Throwable $e) {
        echo get_class($e), ': ', $e->getMessage(), "\n";
    }
}

<?php
// The contents of a template are not its children.
$dom = Dom\HTMLDocument::createFromString('<!DOCTYPE html><body><template id="t">a<p>b</p><template><i>c</i></template></template><div><p>d</p></div></body>');
$template = $dom->getElementById('t');
var_dump($template->firstChild, $template->childNodes->length, $template->textContent, $template->innerHTML);
var_dump($dom->querySelectorAll('p')->length, $dom->querySelector('i'), (new Dom\XPath($dom))->query('//p')->length);
echo $dom->saveHtml(), "\n", $dom->saveXml(), "\n";
$template->append('own child');
echo $dom->saveHtml($template), "\n", $template->textContent, "\n";
$template->innerHTML = '<b>new</b>';
echo $template->innerHTML, ' ', $template->childNodes->length, "\n";
$shallow = $template->cloneNode();
$deep = $template->cloneNode(true);
var_dump($shallow->innerHTML, $deep->innerHTML, $deep->textContent);
$deep->innerHTML = "changed";
var_dump($template->innerHTML, $deep->innerHTML);
$other = Dom\HTMLDocument::createEmpty();
$imported = $other->importNode($template, true);
var_dump($imported->innerHTML);
$div = $dom->querySelector('div');
$div->innerHTML = '<template><u>x</u></template>';
var_dump($div->firstChild->childNodes->length, $div->innerHTML, $div->querySelector('u'));
$made = $dom->createElement('template');
$made->append($dom->createElement('s'));
var_dump($made->innerHTML, $made->childNodes->length);
$template->remove();
unset($template, $dom);
echo $deep->ownerDocument->saveHtml(), "\n";
// Lists end, however far behind their end one looks.
var_dump((new DOMDocument)->childNodes->item(PHP_INT_MAX), $deep->childNodes->item(PHP_INT_MAX));

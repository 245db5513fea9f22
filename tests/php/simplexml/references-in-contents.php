<?php
set_error_handler(function($n,$m){ echo "[$m]\n"; return true; });
$d = new DOMDocument; $r = $d->appendChild($d->createElement('r', 'a&b')); echo "1\n"; $e = $d->createElementNS('urn:x', 'x:e', 't&1;'); echo "2\n"; $r->appendChild($e);
$r->nodeValue = 'q&z'; echo "3\n"; $r->setAttribute('a', 'x&y'); echo "4\n"; $at = $d->createAttribute('b'); $at->value = 'p&q'; echo "5\n"; $r->appendChild($at); $at->nodeValue = 'm&n;'; echo "6\n";
$r->textContent = 'x&y'; echo "7\n"; $el = new DOMElement('z', 'k&l'); echo "8\n"; $el = new DOMElement('z', 'k&l', 'urn:z'); echo "9\n"; $aa = new DOMAttr('z', 'k&l'); echo "10\n"; $r->setAttributeNS('urn:q', 'q:a', 'x&y'); echo "11\n";
echo $d->saveXML();
$x = new SimpleXMLElement('<r/>'); $x->addChild('c', 'a&b'); echo "12\n"; $x->addChild('c2', 'a&b;', 'urn:c'); echo "13\n"; $x->addAttribute('t', 'a&b'); echo "14\n"; $x->z = 'a&b'; $x['w'] = 'a&b'; echo "15\n"; $x->c = 'm&n;'; echo $x->asXML();
$d2 = Dom\XMLDocument::createEmpty(); $d2->append($d2->createElement('a')); $d2->documentElement->textContent = 'a&b'; $d2->documentElement->setAttribute('q', 'a&b'); echo $d2->saveXml();
libxml_use_internal_errors(true); $d->createElement('w', 'a&b'); var_dump(count(libxml_get_errors()), libxml_get_errors()[0]->message ?? null);

<?php
$x = new SimpleXMLElement('<r><e>1</e><f/></r>');
$x->a = null; $x->b = ''; $x->c = false; $x->d->dd = ''; $x->e = ''; $x->f = null; $x->addChild('g', ''); $x->addChild('h'); $x->addChild('i', null); $x->j[] = ''; $x->k = 0; $x->l['at'] = ''; $x->{'m'}[0] = null; $x['q'] = null; $x['s'] = '';
echo $x->asXML(), count($x->a), isset($x->a), empty($x->a), json_encode($x), "\n"; var_dump((string)$x->a);
$d = new DOMDocument; $d->loadHTML('<p>hi<br>you</p>'); $s = simplexml_import_dom($d); echo $s->asXML(), "|", $s->body->asXML(), "|", $s->body->p->asXML(), "|\n"; 
$d = new DOMDocument; $d->loadXML('<r><a/></r>'); $s = simplexml_import_dom($d); echo $s->asXML(), '|', $s->a->asXML(), "|\n";

<?php
// Children that are written into come into being.
$a = simplexml_load_string('<root/>');
$a->bla->posts->name = "FooBar";
echo $a->asXML();
$x = simplexml_load_string('<r/>');
$x->movie[0]->characters->character[0]->name = 'Miss Coder';
echo $x->asXML();
$x->movie[0]->characters->character[1]['id'] = 'Z';
$x->a->b['k'] = 1;
$x->list[] = 'one'; $x->list[] = 'two';
$x->p->q[] = 'n';
echo $x->asXML();
try { var_dump($x->nope->deeper); } catch (Error $e) { echo $e->getMessage(); }
var_dump(isset($x->nope->deeper));
echo $x->asXML();

<?php
$x = simplexml_load_string('<r id="1" xmlns:x="urn:x"><a>1</a><a>2</a><b/><c k="v">t</c><d> <e>5</e> </d><x:n>ns</x:n><f>mixed <g>in</g> tail</f></r>');
foreach ([$x, $x->a, $x->b, $x->c, $x->attributes(), $x->children(), $x->children('urn:x'), $x->d, $x['id'], $x->none] as $part) {
    echo json_encode(get_object_vars($part)), ' ', json_encode(get_mangled_object_vars($part)), ' ', count((array) $part), "\n";
}
var_dump(get_object_vars($x->d));
// Nothing else gives its properties in this way.
var_dump(get_object_vars(new DateTime('2000-01-01 UTC')), get_object_vars(new ArrayObject([1])), get_object_vars(new SplFixedArray(1)));

<?php
//: ini own.setting=of my own
//: ini WITH:COLON=colons
// Variables of ini texts are what the configuration sets, whoever knows it, and the environment; not settings by default.
putenv('OWN_VARIABLE=from outside');
var_dump(parse_ini_string('
a = ${own.setting}
b = ${WITH:COLON}
c = ${WITH:COLON:-other}
d = ${OWN_VARIABLE}
e = ${precision}
f = ${MISSING:-default ${OWN_VARIABLE}}
g = "x${own.setting}y"
h = ${MISSING}
'));

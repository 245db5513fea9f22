<?php
// What var_dump() shows of generators is a method's answer.
function g() { yield 1; }
class C { function m() { yield 2; } }
var_dump(g()->__debugInfo(), (new C)->m()->__debugInfo(), g());

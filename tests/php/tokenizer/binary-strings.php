<?php
// The kind of a quote is that of the quote, though a letter stands in front of it.
foreach (['<?php b"a$b";', '<?php B"a{$b}c"; b\'x\'; b"plain"; b<<<X
a$b
X;'] as $c) { foreach (PhpToken::tokenize($c) as $t) echo $t->id, ' ', $t->getTokenName(), ' ', json_encode($t->text), ' ', $t->line, ' ', $t->pos, ' ', (int)$t->is('"'), ' ', (int)$t->is('b"'), "\n"; foreach (token_get_all($c) as $t) echo json_encode($t), "\n"; }

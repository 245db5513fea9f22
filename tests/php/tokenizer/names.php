<?php
// Keywords that are names, as a parser sees them.
$code = '<?php class C { use A, B { namespace as bar; A::foo insteadof B; list as print; A::foreach as protected x; }
    const class1 = 1, FOR = 2; const int LIST = 3; function list() {} }
    X::class; static::class; X::FOR; $a->class; $a?->list; enum E { case Default; case Array = 1; }
    namespace\foo(); new class {}; f(class: 1, default: 2); $x instanceof static; X::{$y}(); foreach ($a as list($b)) {}';
foreach (PhpToken::tokenize($code, TOKEN_PARSE) as $token) {
    if (!$token->isIgnorable() && preg_match('/^\w+$/', $token->text)) {
        echo $token->getTokenName(), ' ', $token->text, "\n";
    }
}

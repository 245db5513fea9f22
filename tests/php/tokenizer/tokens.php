<?php
$code = '<?php namespace A\B; /** doc */ function f(?int $x = 0b11, ...$r): static { return "a $x[1] {$r->y}" . <<<E
 text $x
 E; } // end
?>html';
foreach (PhpToken::tokenize($code) as $token) {
    echo $token->line, ':', $token->pos, ' ', $token->getTokenName(), ' ', json_encode($token->text), $token->isIgnorable() ? ' *' : '', "\n";
}
echo count(token_get_all('<?php $a = 1;')), ' ', token_name(T_DOUBLE_COLON), "\n";

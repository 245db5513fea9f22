<?php
// Functions and classes that exist only after their code ran.
echo early(), "\n";
function early() { return 'hoisted'; }
var_dump(function_exists('late'));
if (true) {
    function late() { return 'late'; }
    class Late { const X = 'late class'; }
}
echo late(), Late::X, "\n";
function outer()
{
    function inner() { return 'inner'; }
    return 'outer';
}
echo outer(), inner(), "\n";
echo UsedBeforeDeclared::hi(), "\n";
class UsedBeforeDeclared { public static function hi() { return 'class hoisted'; } }
$anonymous = new class(5) extends UsedBeforeDeclared implements Countable {
    public function __construct(private int $n) {}
    public function count(): int { return $this->n; }
};
echo count($anonymous), $anonymous::hi(), str_contains(get_class($anonymous), '@anonymous') ? 'anonymous' : '', "\n";

<?php
// A closure of a class without an object: every change of a member of $this is an error.
class Test { public $prop = []; }
$changes = [
    function () { $this->prop[] = 1; },
    function () { $this->prop['a']['b'] = 1; },
    function () { $this->prop = 1; },
    function () { $this->prop .= 'x'; },
    function () { $this->prop['a'] += 1; },
    function () { $this->prop++; },
    function () { unset($this->prop); },
    function () { unset($this->prop['a']); },
    function () { $r = &$this->prop; },
    function () { return $this->prop; },
];
foreach ($changes as $number => $change) {
    $bound = $change->bindTo(null, Test::class);
    for ($i = 0; $i < 3; $i++) {
        try {
            var_dump($bound());
        } catch (Error $e) {
            echo $number, ': ', $e->getMessage(), ' on line ', $e->getLine(), "\n";
        }
    }
}

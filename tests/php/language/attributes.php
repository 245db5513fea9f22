<?php
// Attributes are kept as metadata and have no effect by themselves.
#[Attribute(Attribute::TARGET_ALL | Attribute::IS_REPEATABLE)]
final class Tag { public function __construct(public string $name = '', public array $options = []) { echo "constructed $name\n"; } }
#[Tag('class'), Tag(name: 'again', options: ['k' => 1 + 1])]
class Marked
{
    #[Tag] const C = 1;
    #[Tag('prop')] public int $p = 2;
    #[Tag('method')] public function m(#[Tag('param')] $x, #[SensitiveParameter] string $secret = 's') { throw new Exception('trace'); }
}
#[Tag]
function f() { return (#[Tag] fn() => 'arrow')() . (#[Unknown\Attribute(5)] function () { return 'closure'; })(); }
echo f(), Marked::C, (new Marked)->p, "\n";
try {
    (new Marked)->m(1, 'password');
} catch (Exception $e) {
    echo preg_replace('~#0 .*?: ~', '', strtok($e->getTraceAsString(), "\n")), "\n";
}

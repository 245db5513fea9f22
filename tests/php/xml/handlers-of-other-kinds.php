<?php
// Handlers that are numbers stand for names; another object has to have the methods that were set; XPath keeps the functions that
// were registered before a mistake.

error_reporting(E_ALL & ~E_DEPRECATED);
function show(callable $body): void {
    try {
        var_dump($body());
    } catch (Error $e) {
        echo get_class($e), ': ', $e->getMessage(), "\n";
    }
}
foreach ([5, 1.5, true, false, '', [], new stdClass, null] as $handler) {
    show(fn() => xml_set_character_data_handler(xml_parser_create(), $handler));
    show(fn() => xml_set_element_handler(xml_parser_create(), $handler, null));
    show(fn() => xml_set_element_handler(xml_parser_create(), null, $handler));
}

class A {
    public function begin($parser, $name, $attributes) { echo "A::begin $name\n"; }
    public function finish($parser, $name) { echo "A::finish $name\n"; }
}
class B {
    public function begin($parser, $name, $attributes) { echo "B::begin $name\n"; }
}
class C extends A {
    public function begin($parser, $name, $attributes) { echo "C::begin $name\n"; }
}
$parser = xml_parser_create();
xml_set_object($parser, new A);
xml_set_element_handler($parser, 'begin', 'finish');
show(fn() => xml_set_object($parser, new B));
$parser = xml_parser_create();
xml_set_object($parser, new A);
xml_set_element_handler($parser, 'begin', 'finish');
show(fn() => xml_set_object($parser, new C));
xml_parse($parser, '<a/>', true);

$xpath = new DOMXPath(new DOMDocument);
$xpath->registerNamespace('php', 'http://php.net/xpath');
show(fn() => $xpath->registerPhpFunctions(['strrev', 5]));
show(fn() => $xpath->registerPhpFunctions(['strtoupper']));
show(fn() => $xpath->evaluate('php:function("strrev", "abc")'));
show(fn() => serialize(new XMLWriter));

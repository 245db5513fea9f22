<?php
// Expressions about a document begin at its root element and know its prefixes; callbacks end with a new context.
$document = Dom\XMLDocument::createFromString('<r xmlns:p="u:p"><p:a/><b/></r>');
$xpath = new Dom\XPath($document);
var_dump($xpath->query('//p:a')->length, $xpath->query('b')->length);
$xpath->registerNamespace('php', 'http://php.net/xpath');
$xpath->registerPhpFunctions();
foreach (['php:function("nobody")', '//namespace::p', '//q:a'] as $expression) {
    try {
        var_dump(@$xpath->evaluate($expression));
    } catch (Error | DOMException $error) {
        echo get_class($error), ': ', $error->getMessage(), "\n";
    }
}

class Counted
{
    public function __construct(private string $name)
    {
    }

    public function __destruct()
    {
        echo "the end of $this->name\n";
    }

    public function __invoke()
    {
        return $this->name;
    }
}
$old = new DOMDocument;
$old->loadXML('<r/>');
$xpath = new DOMXPath($old);
$xpath->registerPhpFunctionNS('u:f', 'name', new Counted('first'));
$xpath->registerNamespace('f', 'u:f');
var_dump($xpath->evaluate('f:name()'));
$xpath->__construct($old);
echo "again\n";
$xpath->registerNamespace('f', 'u:f');
$xpath->registerPhpFunctionNS('u:f', 'name', new Counted('second'));
var_dump($xpath->evaluate('f:name()'));
unset($xpath);

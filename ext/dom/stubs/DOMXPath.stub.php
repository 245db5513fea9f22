<?php
class DOMXPath {
    public \DOMDocument $document { get {} }
    public bool $registerNodeNamespaces { get {} set {} }
    public function __construct(\DOMDocument $document, bool $registerNodeNS = true) {}
    public function evaluate(string $expression, ?\DOMNode $contextNode = null, bool $registerNodeNS = true): mixed {}
    public function query(string $expression, ?\DOMNode $contextNode = null, bool $registerNodeNS = true): mixed {}
    public function registerNamespace(string $prefix, string $namespace): bool {}
    public function registerPhpFunctions(array|string|null $restrict = null): void {}
    #[real_return] public function registerPhpFunctionNS(string $namespaceURI, string $name, callable $callable): void {}
    #[real_return] public static function quote(string $str): string {}
}

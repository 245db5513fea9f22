<?php
namespace Dom; final class XPath {
    public \Dom\Document $document { get {} }
    public bool $registerNodeNamespaces { get {} set {} }
    public function __construct(\Dom\Document $document, bool $registerNodeNS = true) {}
    #[real_return] public function evaluate(string $expression, ?\Dom\Node $contextNode = null, bool $registerNodeNS = true): \Dom\NodeList|string|float|bool|null {}
    #[real_return] public function query(string $expression, ?\Dom\Node $contextNode = null, bool $registerNodeNS = true): \Dom\NodeList {}
    #[real_return] public function registerNamespace(string $prefix, string $namespace): bool {}
    #[real_return] public function registerPhpFunctions(array|string|null $restrict = null): void {}
    #[real_return] public function registerPhpFunctionNS(string $namespaceURI, string $name, callable $callable): void {}
    #[real_return] public static function quote(string $str): string {}
}

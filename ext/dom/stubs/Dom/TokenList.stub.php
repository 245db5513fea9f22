<?php
namespace Dom; final class TokenList implements \IteratorAggregate, \Countable {
    public int $length { get {} }
    public string $value { get {} set {} }
    private function __construct() {}
    #[real_return] public function item(int $index): ?string {}
    #[real_return] public function contains(string $token): bool {}
    #[real_return] public function add(#[unchecked] string ...$tokens): void {}
    #[real_return] public function remove(#[unchecked] string ...$tokens): void {}
    #[real_return] public function toggle(string $token, ?bool $force = null): bool {}
    #[real_return] public function replace(string $token, string $newToken): bool {}
    #[real_return] public function supports(string $token): bool {}
    #[real_return] public function count(): int {}
    #[real_return] public function getIterator(): \Iterator {}
}

<?php
class DOMCharacterData extends \DOMNode implements \DOMChildNode {
    public string $data { get {} set {} }
    public int $length { get {} }
    public ?\DOMElement $previousElementSibling { get {} }
    public ?\DOMElement $nextElementSibling { get {} }
    public function appendData(string $data): true {}
    public function substringData(int $offset, int $count) {}
    public function insertData(int $offset, string $data): bool {}
    public function deleteData(int $offset, int $count): bool {}
    public function replaceData(int $offset, int $count, string $data): bool {}
    #[real_return] public function replaceWith(...$nodes): void {}
    #[real_return] public function remove(): void {}
    #[real_return] public function before(...$nodes): void {}
    #[real_return] public function after(...$nodes): void {}
}

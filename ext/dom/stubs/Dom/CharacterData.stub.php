<?php
namespace Dom; class CharacterData extends \Dom\Node implements \Dom\ChildNode {
    public string $data { get {} set {} }
    public int $length { get {} }
    public ?\Dom\Element $previousElementSibling { get {} }
    public ?\Dom\Element $nextElementSibling { get {} }
    #[real_return] public function substringData(int $offset, int $count): string {}
    #[real_return] public function appendData(string $data): void {}
    #[real_return] public function insertData(int $offset, string $data): void {}
    #[real_return] public function deleteData(int $offset, int $count): void {}
    #[real_return] public function replaceData(int $offset, int $count, string $data): void {}
    #[real_return] public function remove(): void {}
    #[real_return] public function before(#[unchecked] \Dom\Node|string ...$nodes): void {}
    #[real_return] public function after(#[unchecked] \Dom\Node|string ...$nodes): void {}
    #[real_return] public function replaceWith(#[unchecked] \Dom\Node|string ...$nodes): void {}
}

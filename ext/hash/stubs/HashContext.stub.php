<?php
final class HashContext {
    private function __construct() {}
    #[real_return] public function __serialize(): array {}
    #[real_return] public function __unserialize(array $data): void {}
    #[real_return] public function __debugInfo(): array {}
}

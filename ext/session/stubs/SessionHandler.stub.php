<?php
class SessionHandler implements \SessionHandlerInterface, \SessionIdInterface {
    public function open(string $path, string $name): bool {}
    public function close(): bool {}
    public function read(string $id): string|false {}
    public function write(string $id, string $data): bool {}
    public function destroy(string $id): bool {}
    public function gc(int $max_lifetime): int|false {}
    public function create_sid(): string {}
}

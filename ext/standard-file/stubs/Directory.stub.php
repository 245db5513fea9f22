<?php
class Directory {
    public readonly string $path;
    public readonly mixed $handle;
    public function close(): void {}
    public function rewind(): void {}
    public function read(): string|false {}
}

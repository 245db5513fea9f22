<?php
class SplQueue extends SplDoublyLinkedList {
    public function enqueue(mixed $value): void {}
    public function dequeue(): mixed {}
}

<?php
class SplMaxHeap extends SplHeap {
    protected function compare(mixed $value1, mixed $value2): int {}
}

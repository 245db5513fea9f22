<?php
// A declared property of `$this`: the class is known, the slot is loaded and stored without a lookup.
final class Counter {
    private int $count = 0;

    function add(int $n): int {
        $this->count += $n;
        return $this->count;
    }
}
$counter = new Counter;
for ($i = 0; $i < 6; $i++) {
    $counter->add($i);
}

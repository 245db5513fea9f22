<?php
// Years that no C int holds: the low bits count, but for the Jewish calendar, which refuses them.
foreach (['gregoriantojd', 'juliantojd', 'frenchtojd', 'jewishtojd'] as $function) {
    foreach ([PHP_INT_MIN, -5000000000, 6000000000, PHP_INT_MAX, 4294967296 + 5] as $year) {
        foreach ([[1, 1], [12, 31], [4294967296 + 2, 3]] as [$month, $day]) {
            try {
                echo "$function($month, $day, $year): ", $function($month, $day, $year), "\n";
            } catch (ValueError $e) {
                echo $e->getMessage(), "\n";
            }
        }
    }
}

<?php
enum Suit: string { case Hearts = 'h'; }
foreach (['O:4:"Suit":0:{}', 'a:1:{i:0;O:4:"Suit":1:{s:4:"name";s:6:"Hearts";}}', 'C:4:"Suit":0:{}', 'E:11:"Suit:Hearts";', 'E:11:"Suit:Spades";'] as $text) {
    try {
        var_dump(unserialize($text));
    } catch (Throwable $e) {
        echo get_class($e), ': ', $e->getMessage(), "\n";
    }
}

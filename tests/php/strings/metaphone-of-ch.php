<?php
// PHP asks for the rules of old: "ch" is X, whatever is around it.
foreach (['School', 'Christ', 'schr', 'ach', 'Schmidt', 'tsch', 'Schwarz', 'rechts', 'Fisch', 'scia', 'science', 'back'] as $word) {
    echo $word, ' ', metaphone($word), "\n";
}

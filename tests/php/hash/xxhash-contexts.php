<?php
// xxHash in pieces, with seeds, and through serialisation.
$text = implode(' ', range(1, 60));
foreach (['xxh32', 'xxh64', 'xxh3', 'xxh128'] as $algorithm) {
    foreach ([0, 1, 3, 4, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 100] as $length) {
        echo $algorithm, ' ', $length, ' ', hash($algorithm, substr($text, 0, $length)), ' ',
            hash($algorithm, substr($text, 0, $length), false, ['seed' => 12345]), "\n";
    }
    $context = hash_init($algorithm, 0, '', ['seed' => 7]);
    foreach (str_split($text, 13) as $piece) {
        hash_update($context, $piece);
        if ($algorithm === 'xxh32' || $algorithm === 'xxh64') {
            $context = unserialize(serialize($context));
        }
    }
    echo hash_final($context), ' ', hash($algorithm, $text, false, ['seed' => 7]), "\n";
}
foreach (['xxh32', 'xxh64'] as $algorithm) {
    $context = hash_init($algorithm);
    hash_update($context, 'abc');
    echo serialize($context), "\n";
}
foreach (['O:11:"HashContext":5:{i:0;s:5:"xxh32";i:1;i:0;i:2;a:12:{i:0;i:0;i:1;i:0;i:2;i:606290984;i:3;i:-2048144777;i:4;i:0;i:5;i:1640531535;i:6;i:0;i:7;i:0;i:8;i:0;i:9;i:0;i:10;i:30;i:11;i:0;}i:3;i:2;i:4;a:0:{}}'] as $bad) {
    try {
        unserialize($bad);
    } catch (Exception $e) {
        echo $e->getMessage(), "\n";
    }
}

<?php
mt_srand(42);
echo mt_rand(), " ", mt_rand(1, 6), " ", rand(1, 100), "\n";
$list = range(1, 8);
shuffle($list);
echo implode(",", $list), " ", json_encode(array_rand($list, 3)), "\n";
foreach ([new Random\Engine\Mt19937(5), new Random\Engine\PcgOneseq128XslRr64(5), new Random\Engine\Xoshiro256StarStar(5)] as $engine) {
    $random = new Random\Randomizer($engine);
    echo $random->getInt(1, 1000), " ", $random->nextInt(), " ", bin2hex($random->getBytes(5)), " ",
        $random->shuffleBytes("abcdef"), " ", json_encode($random->pickArrayKeys([1, 2, 3, 4, 5], 2)), " ",
        $random->getBytesFromString("xyz", 6), " ", $random->getFloat(0, 1), "\n";
}

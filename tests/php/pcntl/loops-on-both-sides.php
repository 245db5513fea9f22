<?php
// Loops that are compiled before a process is split, and on both sides of that.
function sum($n) { $s = 0; for ($i = 0; $i < $n; $i++) { $s += $i & 3; } return $s; }
function mix($n) { $s = 0.5; for ($i = 0; $i < $n; $i++) { $s = $s * 0.5 + $i; } return $s; }
function text($n) { $s = ''; for ($i = 0; $i < $n; $i++) { $s .= $i & 7; } return md5($s); }
function list_of($n) { $a = []; for ($i = 0; $i < $n; $i++) { $a[] = $i ^ 5; } return array_sum($a); }
echo sum(2000000), "\n";
for ($round = 0; $round < 4; $round++) {
    $child = pcntl_fork();
    if ($child === 0) {
        echo "child: ", mix(300000), ' ', sum(2000000), ' ', text(300000), ' ', list_of(300000), "\n";
        exit($round);
    }
    $own = [text(300000), list_of(300000), mix(300000), sum(2000000)];
    pcntl_waitpid($child, $status);
    echo "parent: ", implode(' ', $own), ", child ended with ", pcntl_wexitstatus($status), "\n";
}

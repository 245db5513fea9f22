<?php
// Small algorithms with strings and integers.
function roman(int $n): string { $s = ''; foreach (['M' => 1000, 'CM' => 900, 'D' => 500, 'CD' => 400, 'C' => 100, 'XC' => 90, 'L' => 50, 'XL' => 40, 'X' => 10, 'IX' => 9, 'V' => 5, 'IV' => 4, 'I' => 1] as $r => $v) { while ($n >= $v) { $s .= $r; $n -= $v; } } return $s; }
foreach ([1, 4, 9, 14, 40, 90, 400, 1994, 2024, 3999] as $n) { echo roman($n), ' '; }
echo "\n";
function gcd(int $a, int $b): int { while ($b) { [$a, $b] = [$b, $a % $b]; } return $a; }
function collatz(int $n): int { for ($s = 0; $n !== 1; $s++) { $n = $n & 1 ? 3 * $n + 1 : $n >> 1; } return $s; }
function caesar(string $s, int $k): string { $r = ''; for ($i = 0; $i < strlen($s); $i++) { $o = ord($s[$i]); $r .= match (true) { $o >= 65 && $o <= 90 => chr(65 + ($o - 65 + $k + 26) % 26), $o >= 97 && $o <= 122 => chr(97 + ($o - 97 + $k + 26) % 26), default => $s[$i] }; } return $r; }
function palindrome(string $s): bool { $s = preg_replace('/[^a-z]/', '', strtolower($s)); return $s === strrev($s); }
echo gcd(1071, 462), ' ', collatz(27), ' ', caesar('Hello, World!', 3), ' ', caesar(caesar('xyz', 5), -5), "\n";
var_dump(palindrome('A man, a plan, a canal: Panama'), palindrome('no'));
for ($i = 1, $out = []; $i <= 15; $i++) { $out[] = match (0) { $i % 15 => 'FizzBuzz', $i % 5 => 'Buzz', $i % 3 => 'Fizz', default => $i }; }
echo implode(' ', $out), "\n";
function binary_search(array $a, int $x): int { [$l, $h] = [0, count($a) - 1]; while ($l <= $h) { $m = intdiv($l + $h, 2); switch ($a[$m] <=> $x) { case 0: return $m; case -1: $l = $m + 1; break; default: $h = $m - 1; } } return -1; }
echo binary_search(range(0, 1000, 7), 497), binary_search([1, 3], 2), "\n";

<?php
$plain = ['it\'s \n', 'back\\slash', b'binary', ''];
$escapes = "\n\t\\\$\"\x41\101\u{1F600}\e\q";
$parts = "a $b c{$d}e ${f} g ${'h' . 'i'}";
$offsets = "$a[0] $a[-1] $a[x] $a[$i] $a[00] $a[9223372036854775808] ${a['k']}";
$members = "$a->b->c $a?->b $a-> {$a->b->c()} {$a::$b}";
$literal = "{ $ } $1 {\$x}";
$shell = `ls $dir`;
$nested = "a{$b["c{$d}"]}";

<?php
//: source-only Every form inside double quotes and heredocs.
$name = 'World';
$list = ['k' => 'v', 3 => 'three', 'n' => ['m' => 'deep']];
$o = new class {
    public $p = 'prop';
    public $q;
    public array $list = [1, 2];
    function method($x) { return "<$x>"; }
};
$o->q = $o;
echo "Hello $name! $list[k] $list[3] {$list['n']['m']} $o->p {$o->q->p} {$o->method('arg')} ${name}\n";
echo "$o->p[0] {$o->list[1]} \$name \x41\u{1F600}\101\t| {$name}s \{$name}\n";
$fn = fn($x) => $x * 2;
$var = 'name';
echo "{$fn(21)} ${$var} {$$var}\n";
echo <<<TEXT
    Indented $name
      more {$list['k']}
    "quotes" stay \\ and \$
    TEXT . "|\n";
echo <<<'RAW'
no $interpolation \n here
RAW;
echo "\n", <<<X
  a
 b
 X, "\n";
echo "$name[0]$name[-1]", "$undefined|", "\n";

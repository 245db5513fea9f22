<?php
$empty = <<<A
A;
$text = <<<"TEXT"
  line "quoted" \x41
    indented

  end
  TEXT . 'more';
$now = <<<'NOW'
    raw $x \n
    NOW;
$parts = <<<PARTS
    $first {$second} third
      fourth $fifth
    PARTS;
f(<<<X
  a
  X, <<<Y
  b
  Y);

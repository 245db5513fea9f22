<?php
// Closing markers, blank lines and nested quoting.
$v = ['a' => ['b' => 'c']];
echo <<<A
line

  AA B
A . '|' . <<<"Q"
{$v['a']['b']} \x21 \u{e9}
Q . "|\n";
var_dump(<<<EMPTY
EMPTY, <<<'N'
N);
echo json_encode([<<<ONE
    one
    ONE, <<<TWO
      two
    TWO]), "\n";
echo <<<HTML
  <a href="{$v['a']['b']}">
    $v[a]
  </a>
  HTML;

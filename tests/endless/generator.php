<?php
function numbers($n) { foreach (numbers($n + 1) as $m) { yield $m + $n; } }
foreach (numbers(0) as $n) { echo $n; }

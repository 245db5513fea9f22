<?php
function of($value)
{
    return eval('return fn() => $value + 1;');
}

// What the interpreter makes of evaluated code (some 300 bytes each time) stays until the process ends.
for ($round = 0; $round < 1; $round++) {
    eval("\$sum = $round + 1; \$list = [1, 2, $round];");
    $closure = eval("return function (\$value) { static \$calls = 0; return \$value + ++\$calls + $round; };");
    $closure(1);
    $generator = eval("return (function () { yield $round; yield 2; })();");
    foreach ($generator as $value) {
        $sum += $value;
    }
    of($round)();
    try {
        eval("throw new RuntimeException('round $round');");
    } catch (RuntimeException $error) {
        $sum += $error->getLine();
    }
    try {
        eval('this is no program');
    } catch (ParseError) {
        $sum++;
    }
}

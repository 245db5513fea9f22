<?php
// Code that nests thousands of levels deep compiles and runs, and an exception finds its way through all of them.

function run(string $open, string $inside, string $close, int $levels): void {
    eval(str_repeat($open, $levels) . $inside . str_repeat($close, $levels));
}

run('try { ', 'echo "catch\n";', '} catch (A) { } ', 3000);
run('try { ', 'echo "finally\n";', '} finally { } ', 3000);
run('foreach ([1] as $v) { ', 'echo "foreach\n";', '} ', 1000);
run('@', '$undefined; echo "silence\n";', '', 3000);
try {
    run('try { ', 'throw new Exception("through catch");', '} catch (A) { } ', 3000);
} catch (Exception $e) {
    echo $e->getMessage(), "\n";
}
try {
    run('foreach ([1] as $v) { ', 'throw new Exception("through foreach");', '} ', 1000);
} catch (Exception $e) {
    echo $e->getMessage(), "\n";
}
try {
    run('try { ', 'throw new Exception("through finally");', '} finally { $GLOBALS["n"] = ($GLOBALS["n"] ?? 0) + 1; } ', 3000);
} catch (Exception $e) {
    echo $e->getMessage(), " $n\n";
}

<?php
// printf in all its directives.
printf("[%d] [%5d] [%-5d] [%05d] [%+d] [%+d]\n", 42, 42, 42, 42, 42, -42);
printf("[%s] [%10s] [%-10s] [%'*10s] [%.2s]\n", 'str', 'str', 'str', 'str', 'str');
printf("[%f] [%.2f] [%10.3f] [%e] [%.1e] [%g] [%G]\n", 3.14159, 2.005, 1.5, 1234.5, 0.00015, 0.00001, 1e20);
printf("[%b] [%o] [%x] [%X] [%c] [%%] [%u]\n", 10, 64, 255, 255, 65, 3);
printf("%2\$s %1\$s %2\$s\n", 'a', 'b');
echo sprintf('%08.3f', -1.5), sprintf("%'#10d|%-'x8s|", 7, 'l'), vsprintf('%04d-%02d', [2024, 3]), "\n";
foreach ([fn() => sprintf('%d'), fn() => sprintf('%z', 1), fn() => sprintf('%0$s', 1)] as $f) {
    try {
        echo $f();
    } catch (Error $e) {
        echo get_class($e), ': ', $e->getMessage(), "\n";
    }
}
echo sprintf('%5.1f|%-8s|%s|%s', 9.96, 'ab', true, null), "\n";
var_dump(sscanf('age: 25 name: Bob', 'age: %d name: %s'));

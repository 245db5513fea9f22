<?php
// What the programs of this folder share: classes are loaded from REAL_ROOT, where Debian's packages were unpacked, and the
// same work is done again and again, so that its first time (loading, compiling) and its steady time are told apart.
//
// Printed: name, first iteration, sum, median of the second half (all in ms), and a digest of the work's result.

namespace Real;

const DEFAULT_ROOT = '/usr/share/php';

function root(): string
{
    return rtrim(getenv('REAL_ROOT') ?: DEFAULT_ROOT, '/');
}

spl_autoload_register(static function (string $class): void {
    $file = root() . '/' . strtr($class, '\\', '/') . '.php';
    if (is_file($file)) {
        require $file;
    }
});

set_include_path(root());
error_reporting(E_ALL & ~E_DEPRECATED & ~E_USER_DEPRECATED);

/** Does the work `REAL_TIMES` times (or as often as the program says) and prints how long it took. */
function measure(string $name, int $times, \Closure $work): void
{
    $times = (int) (getenv('REAL_TIMES') ?: $times);
    // A tool that counts instructions may not follow the clock's page.
    $clock = getenv('REAL_NO_CLOCK') ? static fn () => 0 : static fn () => hrtime(true);
    $spans = [];
    $digest = '';
    for ($i = 0; $i < $times; $i++) {
        $begin = $clock();
        $result = $work();
        $spans[] = ($clock() - $begin) / 1e6;
        $digest = md5($result);
    }
    $late = array_slice($spans, intdiv($times, 2));
    sort($late);
    printf("%-12s %9.2f %9.1f %9.3f  %s\n", $name, $spans[0], array_sum($spans), $late[intdiv(count($late), 2)], $digest);
}

<?php
// Named arguments that no parameter has the name of go to the variadic one, which may take references.
class Plain
{
    public function m(int $x = 1, string &...$rest): array
    {
        return [$x, $rest];
    }
}

function attempt(Closure $do): void
{
    try {
        echo json_encode($do()), "\n";
    } catch (Error $error) {
        echo get_class($error), ': ', $error->getMessage(), "\n";
    }
}

function rest($a, &...$all): array
{
    $all['zz'] = 4;
    return $all;
}

function &all(&...$all): array
{
    return $all;
}

set_error_handler(function ($level, $message) {
    echo "[$level] $message\n";
    return true;
});

attempt(fn () => call_user_func_array([new Plain, 'm'], [1, '' => 3]));
attempt(fn () => call_user_func_array([new Plain, 'm'], [PHP_INT_MAX => 1, -5 => 2, '' => 3]));
attempt(fn () => call_user_func_array([new Plain, 'm'], [1, 2, 'zz' => 3]));
attempt(fn () => call_user_func_array('all', ['zz' => 3]));
attempt(fn () => rest(1, zz: 3));
attempt(fn () => rest(zz: 3, a: 1));
attempt(fn () => rest(1, zz: strrev('ab')));
attempt(function () {
    $list = ['a' => 1, 'zz' => 3];
    $result = rest(...$list);
    return [$result, $list];
});
attempt(function () {
    $list = ['a' => 1, 'q' => 3];
    $result = rest(...$list);
    $result['q'] = 5;
    return [$result, $list];
});
attempt(fn () => rest(...(function () {
    yield 'a' => 1;
    yield 'zz' => 2;
})()));
attempt(function () {
    rest(a: 1, zz: $new);
    return $new;
});
$name = 'call_user_func_array';
attempt(fn () => $name('rest', ['a' => 1, 'zz' => 3]));
attempt(fn () => $name([new Plain, 'm'], ['x' => 5, 'all' => 3]));
$name = 'call_user_func';
attempt(fn () => $name('rest', a: 1, all: 3));
attempt(fn () => array_map(fn ($x) => call_user_func('rest', ...$x), [['a' => 1, 'q' => 2]]));
attempt(fn () => (new ReflectionFunction('rest'))->invokeArgs(['a' => 1, 'q' => 2]));
attempt(fn () => (new ReflectionMethod('Plain', 'm'))->invoke(new Plain, x: 3, q: 2));

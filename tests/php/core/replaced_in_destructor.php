<?php
// What goes when something takes its place may put something in that place when it is destructed.
class Dying
{
    public function __construct(private Closure $last)
    {
    }

    public function __destruct()
    {
        ($this->last)();
    }
}

function held(Closure $last): Closure
{
    $dying = new Dying($last);
    return fn (...$all) => $dying && false;
}

spl_autoload_register(held(function () {
    echo "loader\n";
    spl_autoload_register(fn () => null);
}));
spl_autoload_unregister('spl_autoload_call');
var_dump(count(spl_autoload_functions()));

register_tick_function($tick = held(function () {
    echo "tick\n";
    register_tick_function('strlen', '');
}));
unregister_tick_function($tick);
unset($tick);

header_register_callback(held(function () {
    echo "header\n";
    header_register_callback(fn () => null);
}));
header_register_callback(fn () => null);

@assert_options(ASSERT_CALLBACK, held(function () {
    echo "assert\n";
    @assert_options(ASSERT_CALLBACK, null);
}));
@assert_options(ASSERT_CALLBACK, null);

stream_context_set_default(['a' => ['b' => new Dying(function () {
    echo "context\n";
    stream_context_get_default(['c' => ['d' => 1]]);
})]]);
stream_context_set_default(['a' => ['b' => 1]]);

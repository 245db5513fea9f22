<?php
// The handler that another one takes the place of may set one itself when it goes.
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

pcntl_signal(SIGUSR1, held(function () {
    echo "signal\n";
    pcntl_signal(SIGUSR1, SIG_IGN);
}));
pcntl_signal(SIGUSR1, SIG_DFL);

<?php
// The callback that another one takes the place of may set one itself when it goes.
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

$curl = curl_init();
curl_setopt($curl, CURLOPT_READFUNCTION, held(function () use ($curl) {
    echo "read\n";
    curl_setopt($curl, CURLOPT_READFUNCTION, fn () => '');
}));
curl_setopt($curl, CURLOPT_READFUNCTION, fn () => '');

<?php
// What code outside of functions keeps in a variable is what functions find by `global`, also where both are compiled as one.
function shared()
{
    global $given;
    return $given;
}

function longer()
{
    global $given;
    $all = '';
    for ($i = 0; $i < 3; ++$i) {
        $all .= is_array($given) ? count($given) : $given;
    }
    return $all;
}

function changing()
{
    global $number;
    $number += 2;
    return shared();
}

for ($i = 0; $i < 6; $i++) {
    $given = "given $i";
    echo shared(), ' ', longer(), "\n";
}
for ($i = 0; $i < 6; $i++) {
    $given = $i;
    echo shared(), ' ';
}
echo "\n";
for ($i = 0; $i < 6; $i++) {
    $given = [$i, 'x'];
    echo json_encode(shared()), ' ', longer(), ' ';
}
echo "\n";
for ($number = 0; $number < 20; $number++) {
    $given = $number * 1.5;
    echo changing(), ' ', $number, ' ';
}
echo "\n";

<?php
// Loose comparison, fall through, default in the middle, continue inside switch.
function kind(mixed $value): string
{
    $trace = '';
    switch ($value) {
        case 0:
            $trace .= 'zero ';
        case 1:
            $trace .= 'one ';
            break;
        default:
            $trace .= 'default ';
        case '2':
            $trace .= 'two ';
            break;
        case 'x': case 'y':
            return 'letter';
    }
    return $trace;
}
foreach ([0, 1, 2, '2', 'x', 'y', null, false, true, 3.5, '0'] as $value) {
    echo json_encode($value), ' ', kind($value), "\n";
}
for ($i = 0; $i < 5; $i++) {
    switch ($i) {
        case 1:
            continue 2;
        case 3:
            break 2;
    }
    echo $i, ' ';
}
switch (true) {
    case $i > 2:
        echo "over two\n";
}
switch ($i): case 3: echo "alternative\n"; endswitch;

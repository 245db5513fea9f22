<?php
if ($a && !$b || $c) {
    echo 1;
} elseif ($d) {
    echo 2;
} else {
    echo 3;
}
echo $a ? 'b' : 'c', $a ?: 'd', $a ?? $b ?? 'e';
switch ($s) {
    case 'one':
    case 'two':
        echo 1;
        break;
    default:
        echo 2;
}
switch (f()) {
    case 1:
        echo 1;
    case g():
        echo 2;
}
echo match ($m) {
    1, 2, 3, 4, 5 => 'few',
    default => throw new E,
};
echo match (true) {
    $a > 1 => 'a',
    f() => 'b',
};

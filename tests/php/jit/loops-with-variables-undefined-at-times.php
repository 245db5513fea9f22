<?php
// Loops that are entered with variables that are undefined, and at other times not.
function blocks(array $lines) {
    $out = [];
    foreach ($lines as $line) {
        foreach ([1, 2, 3] as $kind) {
            if (strlen($line) === $kind) {
                if (isset($current)) { $out[] = "end $current"; }
                $current = "$kind:$line";
                $found[] = $kind;
                continue 2;
            }
        }
        if (isset($found) && count($found) > 2) { $out[] = implode('', $found); unset($found); }
        $rest = ($rest ?? 0) + strlen($line);
        $price = $rest > 9 ? 1.5 : 'cheap';
    }
    return [$out, $current ?? null, $rest ?? 'none', $price ?? null];
}
function first(array $list, int $n) {
    for ($i = 0; $i < $n; $i++) {
        if ($i === 3) { $o = new ArrayObject($list); }
        if ($i > 5) { $sum = ($sum ?? 0) + count($o) + $i; }
        $text = isset($o) ? 'o' : "t$i";
    }
    return [$sum ?? null, $text ?? null, isset($o)];
}
function late($n) {
    $warned = 0;
    for ($i = 0; $i < $n; $i++) {
        if ($i % 50 == 49) { $v = @$undefined + $i; $undefined = $v; }
        if ($i % 70 == 0) { unset($undefined); }
        $warned += isset($undefined) ? 1 : 0;
    }
    return $warned;
}
for ($round = 0; $round < 300; $round++) {
    $lines = ['a', 'bb', 'cccc', 'ccc', 'ddddd', 'e', 'long line', 'ff', 'x', 'yy', 'zzzz'];
    $out = [blocks(array_slice($lines, $round % 4, 3 + $round % 9)), first($lines, $round % 11), late(40 + $round)];
    $hash = md5(($hash ?? '') . json_encode($out));
}
echo $hash, "\n";

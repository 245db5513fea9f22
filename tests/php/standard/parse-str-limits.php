<?php
// As many variables as a request may have, and names that cannot be forged into protected ones.
ini_set('max_input_vars', '3');
parse_str('a=1&b=2&c=3&d=4', $result);
echo json_encode($result), "\n";
$max = (int) ini_get('max_input_vars');
parse_str(implode('&', array_map(fn($i) => "k$i=$i", range(1, $max + 2))), $result);
var_dump(count($result) === $max);
foreach (['__Host-a', '_.Host-a', '..Host-a', '_[Host-a', '._Secure-a', '_ Secure-a', '__Secure-a', 'a[__Host-b]', '__Host-a[__Host-b]', '[a', '[a]b', ' __Host-a', '__host-a', '_.host-a', 'x.[__Secure-y]'] as $name) {
    parse_str(rawurlencode($name) . '=1', $result);
    echo $name, ' ', json_encode($result), "\n";
}

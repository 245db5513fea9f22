<?php
// An address with a part of version 4 at its end counts as a mapped one, whatever stands before it.
$addresses = ['::127.0.0.1', '::ffff:127.0.0.1', '::ffff:8.8.8.8', '64:ff9b::1.2.3.4', '2002:a::1.2.3.4', '1:2:3:4:5:6:1.2.3.4',
    'fc00::1.2.3.4', '::1.2.3.04', '::1.2.3', '1:2:3:4:5::1.2.3.4', '::', '::1', '2001:db8::1', '2001:4860::1', 'fe80::1', '::ffff:7f00:1'];
foreach ($addresses as $address) {
    echo $address;
    foreach ([0, FILTER_FLAG_IPV6, FILTER_FLAG_IPV4, FILTER_FLAG_NO_RES_RANGE, FILTER_FLAG_NO_PRIV_RANGE, FILTER_FLAG_GLOBAL_RANGE] as $flags) {
        echo ' ', var_export(filter_var($address, FILTER_VALIDATE_IP, $flags) !== false, true);
    }
    $bytes = @inet_pton($address);
    echo ' ', $bytes === false ? '-' : inet_ntop($bytes), "\n";
}
foreach (['00000000000000000000000000010000', '000000000000000000000000ffffffff', '00000000000000000000000100000001', '00000000000000000000ffff00000001', '0000000000000000ffff000000000001'] as $bytes) {
    echo inet_ntop(hex2bin($bytes)), "\n";
}

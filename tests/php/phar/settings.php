<?php
//: ini phar.readonly=0
foreach (['phar.readonly', 'phar.require_hash'] as $name) {
    foreach (['1', '0', 'on', 'off', '2', 'abc', ''] as $value) {
        var_dump("$name=$value", ini_set($name, $value), ini_get($name));
    }
    ini_restore($name);
    var_dump(ini_get_all('phar')[$name]);
}

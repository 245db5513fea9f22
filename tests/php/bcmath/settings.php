<?php
foreach (['3', '-1', '1k', '1x', '2147483647', '2147483648', ' 4 ', '0x2', ''] as $scale) {
    var_dump(ini_set('bcmath.scale', $scale), ini_get('bcmath.scale'), bcscale());
    ini_restore('bcmath.scale');
}
var_dump(bcscale(3), ini_get_all('bcmath'), bcdiv('1', '3'));

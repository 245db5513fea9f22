<?php
foreach ([[str_repeat('9', 400), 10, 36], [str_repeat('f', 300), 16, 2], [str_repeat('z', 20), 36, 16]] as [$number, $from, $to]) {
    try {
        echo base_convert($number, $from, $to), "\n";
    } catch (ValueError $error) {
        echo $error->getMessage(), "\n";
    }
}

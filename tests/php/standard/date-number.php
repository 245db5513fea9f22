<?php
// One field of a date as a number, in all letters that it takes.
date_default_timezone_set('Europe/Berlin');
foreach (str_split('UYozymndjHGhgistwNLBIWZ') as $letter) {
    echo $letter, ': ', idate($letter, 1043324459), "\n";
}
var_dump(@idate('D'), error_get_last()['message'], @idate('yy'), error_get_last()['message']);
echo gmdate('T e I P|\T', 0), ' ', date('T', 0), "\n";

<?php
// An integer that is too large is the nearest one, with a warning.
var_dump(unserialize('i:9223372036854775807;'), unserialize('i:-9223372036854775808;'), unserialize('i:+00000000000000000000000005;'));
var_dump(unserialize('i:9223372036854775808;'), unserialize('i:-9223372036854775809;'));
var_dump(unserialize('a:2:{i:99999999999999999999;i:-99999999999999999999;i:0;i:1;}'));
var_dump(unserialize('i:99999999999999999999x;'));

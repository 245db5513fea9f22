<?php
//: ini session.gc_maxlifetime=1x
//: ini session.name=12
//: ini session.sid_length=5
//: ini session.sid_bits_per_character=6
//: ini session.cookie_lifetime=-1
//: ini session.use_trans_sid=1
//: ini session.upload_progress.freq=101%
//: ini session.gc_divisor=0
//: one-request what is wrong in the configuration is said once in a process
ob_start();
foreach (['gc_maxlifetime', 'name', 'sid_length', 'sid_bits_per_character', 'cookie_lifetime', 'use_trans_sid', 'upload_progress.freq', 'gc_divisor'] as $name) {
    echo $name, ': ', json_encode(ini_get("session.$name")), "\n";
}
// The end of the request gives settings back what the configuration says, and that is looked at once more.
ini_set('session.gc_maxlifetime', '5');
ini_set('session.use_trans_sid', '0');

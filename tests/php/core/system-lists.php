<?php
// Lists of the system and of the C locale, keys, the log.
var_dump(nl_langinfo(DAY_1), nl_langinfo(MON_12), nl_langinfo(CODESET), nl_langinfo(RADIXCHAR), nl_langinfo(YESEXPR));
var_dump(@nl_langinfo(5), bin2hex(nl_langinfo(FRAC_DIGITS)), CHAR_MAX, LOG_LOCAL7, LOG_PERROR, STREAM_CRYPTO_METHOD_TLSv1_2_CLIENT);
var_dump(getservbyname('no such service', 'tcp'), getservbyport(80, 'no such protocol'), getprotobyname('no such protocol'));
$calls = [
    fn() => ftok('', 'a'), fn() => ftok(__FILE__, ''), fn() => ftok(__FILE__, 'ab'), fn() => ftok('/no/such/file', 'a'),
    fn() => is_int(ftok(__FILE__, 'a')) && ftok(__FILE__, 'a') !== ftok(__FILE__, 'b'),
    fn() => openlog('tests', LOG_PID, LOG_USER), fn() => syslog(LOG_DEBUG, "one\ntwo"), fn() => closelog(),
    fn() => dl('extension'), fn() => get_headers('no URL'), fn() => get_meta_tags('/no/such/file'),
];
foreach ($calls as $call) {
    try {
        var_dump(@$call());
    } catch (ValueError $e) {
        echo $e->getMessage(), "\n";
    }
}
var_dump(get_meta_tags('data:text/html,<html><head><meta name="author" content="x > y"><META NAME=\'Key.Words\' content=abc />'
    . '<meta content="z" name="c"><meta http-equiv="a" content="b"><meta name=d></head><body><meta name="n" content="m">'));

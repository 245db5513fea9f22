<?php
// What settings take, say and give back: every kind of validation, by ini_set and ini_restore.
$said = [];
set_error_handler(function ($level, $message) use (&$said) {
    $said[] = "$level $message";
    return true;
});
ob_start();
$values = ['', '0', '-1', '-5', 'on', 'Yes', 'abc', '1k', '1x', ' 12 ', '0x10', '1.5', "a\nb", "a\0b", 'stderr', '99999999999999999999', '257', '32', '32x', '4',
    'raw', 'user', 'php_serialize', 'Europe/Paris', '5%', 'a;b;c;d', null, true, 2.5];
$settings = ['precision', 'serialize_precision', 'zend.exception_string_param_max_len', 'zend.assertions', 'error_reporting', 'display_errors', 'log_errors',
    'error_log_mode', 'include_path', 'arg_separator.output', 'default_mimetype', 'syslog.filter', 'fiber.stack_size', 'zend.script_encoding',
    'highlight.html', 'SMTP', 'smtp_port', 'sendmail_from', 'docref_ext', 'unserialize_max_depth', 'default_socket_timeout', 'auto_detect_line_endings',
    'assert.active', 'assert.bail', 'assert.callback', 'session.trans_sid_tags', 'session.trans_sid_hosts', 'url_rewriter.tags', 'date.timezone',
    'date.default_latitude', 'pcre.backtrack_limit', 'pcre.jit', 'session.name', 'session.save_handler', 'session.serialize_handler', 'session.gc_probability',
    'session.gc_divisor', 'session.gc_maxlifetime', 'session.cookie_lifetime', 'session.use_only_cookies', 'session.use_trans_sid', 'session.referer_check',
    'session.sid_length', 'session.sid_bits_per_character', 'zlib.output_compression_level', 'memory_limit', 'short_open_tag', 'disable_functions',
    'openssl.cafile', 'session.auto_start', 'filter.default', 'nothing.of.the.kind'];
foreach ($settings as $name) {
    echo "== $name ", json_encode(ini_get($name)), "\n";
    foreach ($values as $value) {
        if ($name === 'memory_limit' && in_array($value, ['0', '-5', '', 'abc', '4', ' 12 ', '257', '32', '0x10', '1.5', "a\nb", "a\0b", 'raw', 'user', null, true, 2.5, '1k',
            '1x', '32x', '5%', 'on', 'Yes', 'stderr', 'php_serialize', 'Europe/Paris', 'a;b;c;d'], true)) {
            continue;
        }
        $said = [];
        $old = ini_set($name, $value);
        $line = [$value, $old, ini_get($name)];
        $here = $said;
        $said = [];
        ini_restore($name);
        echo json_encode([...$line, ini_get($name)]), $here ? ' ' . json_encode($here) : '', $said ? ' restored: ' . json_encode($said) : '', "\n";
    }
}

<?php
// What one request changes of the engine and of the process is as before in the next one: the script shows the state, then changes it.
class Counter { public static int $count = 0; public array $list = [self::BASE]; const BASE = LIMIT . '!'; }
enum Suit: string { case Hearts = 'H'; case Spades = 'S'; const Best = self::Spades; }
function counted() { static $calls = 0; return ++$calls; }
interface Missing {}
define('LIMIT', 'limit ' . counted());

$constant = static fn() => array_keys(get_defined_constants(true)['user'] ?? []);
$show = [
    'errors' => [error_reporting(), ini_get('display_errors'), error_get_last(), set_error_handler(null), set_exception_handler(null)],
    'settings' => array_map('ini_get', ['precision', 'memory_limit', 'default_charset', 'include_path', 'user_agent', 'max_execution_time']),
    'process' => [umask() === umask(), is_dir(getcwd()), getenv('PHLOX_PROBE'), posix_getrlimit()['soft core'] ?? null],
    'signals' => [pcntl_async_signals(), pcntl_signal_get_handler(SIGUSR1), pcntl_sigprocmask(SIG_UNBLOCK, [SIGURG], $old), $old],
    'collector' => [gc_enabled(), gc_status()['runs'], gc_status()['collected']],
    'ids' => [spl_object_id(new stdClass), get_resource_id(fopen('php://memory', 'r'))],
    'texts' => [mb_internal_encoding(), mb_substitute_character(), mb_language(), mb_regex_encoding_or_none(), setlocale(LC_NUMERIC, '0'), iconv_get_encoding('internal_encoding')],
    'time' => [date_default_timezone_get()],
    'libraries' => [libxml_use_internal_errors(), count(libxml_get_errors()), bcscale(), json_last_error(), preg_last_error()],
    'streams' => [in_array('probe', stream_get_wrappers()), in_array('probe.*', stream_get_filters()), stream_context_get_options(stream_context_get_default())],
    'output' => [ob_get_level(), headers_list(), http_response_code(), ob_list_handlers()],
    'loading' => [spl_autoload_functions(), array_map('basename', get_included_files()), class_exists('Added', false), function_exists('added')],
    'constants' => $constant(),
    'classes' => [Counter::$count++, Counter::BASE, (new Counter)->list, Suit::from('H')->name, Suit::Best->name, spl_object_id(Suit::Best) > 0, counted()],
    'types' => [$constant instanceof Added, (fn(): string => Suit::tryFrom('S')->value)()],
    'session' => [session_status(), session_name(), session_id()],
    'callbacks' => [assert_options_or_none(), ignore_user_abort(), connection_status()],
    'random' => (function () { mt_srand(3); $first = mt_rand(1, 1000); mt_srand(3); return $first === mt_rand(1, 1000); })(),
];
function mb_regex_encoding_or_none() { return function_exists('mb_regex_encoding') ? mb_regex_encoding() : null; }
function assert_options_or_none() { return ini_get('zend.assertions'); }
echo json_encode($show, JSON_PRETTY_PRINT | JSON_PARTIAL_OUTPUT_ON_ERROR), "\n";

// From here on everything is changed.
set_error_handler(fn() => true);
set_exception_handler(fn() => null);
error_reporting(E_ERROR);
foreach (['precision' => 3, 'memory_limit' => '200M', 'default_charset' => 'latin1', 'include_path' => '/', 'user_agent' => 'me', 'display_errors' => 'stderr'] as $name => $value) {
    ini_set($name, $value);
}
set_time_limit(77);
umask(0123);
chdir('/');
putenv('PHLOX_PROBE=1');
posix_setrlimit(POSIX_RLIMIT_CORE, 0, posix_getrlimit()['hard core'] === 'unlimited' ? -1 : posix_getrlimit()['hard core']);
pcntl_async_signals(true);
pcntl_signal(SIGUSR1, fn() => null);
pcntl_sigprocmask(SIG_BLOCK, [SIGUSR2]);
pcntl_alarm(1000);
$cycle = new stdClass; $cycle->self = $cycle; unset($cycle);
gc_collect_cycles();
gc_disable();
mb_internal_encoding('ISO-8859-1'); mb_substitute_character(0x3f + 1); mb_language('German');
setlocale(LC_ALL, 'C.UTF-8', 'C');
date_default_timezone_set('Asia/Tokyo');
libxml_use_internal_errors(true);
(new DOMDocument)->loadXML('<a>');
bcscale(7);
json_decode('{'); preg_match('/(?:\D+|<\d+>)*[!?]/', 'foobar foobar foobar');
stream_wrapper_register('probe', Added::class);
stream_filter_register('probe.*', Added::class);
stream_context_set_default(['http' => ['method' => 'PUT']]);
header('X-Probe: 1'); http_response_code(404);
spl_autoload_register(fn($name) => null);
class_alias(Counter::class, 'Aliased');
eval('class Added extends Counter {} function added() {} const ADDED = 1;');
Counter::$count = 50;
Counter::$count += count((new Added)->list);
session_name('probe');
ignore_user_abort(true);
assert(Suit::Hearts === Suit::from('H'));
register_shutdown_function(function () { ob_start(fn($text) => $text); echo counted() > 1 ? "end\n" : ''; });
ob_start(); ob_start(fn($text) => $text);
$GLOBALS['leftover'] = fopen(__FILE__, 'r');
$ring = [new Counter, &$ring];

<?php
// What lists of settings show before and after changes, and what else changes a setting.
echo json_encode(array_keys((new ReflectionExtension('standard'))->getINIEntries())), "\n";
$show = fn (string ...$names) => array_map(fn ($name) => ini_get_all()[$name], $names);
echo json_encode($show('user_agent', 'precision', 'SMTP', 'highlight.html')), "\n";
ini_set('user_agent', 'me');
ini_set('precision', '5');
ini_set('SMTP', 'host');
ini_set('highlight.html', 'red');
echo json_encode($show('user_agent', 'precision', 'SMTP', 'highlight.html')), "\n";
ini_set('precision', '-7');
echo json_encode($show('precision')), 1 / 3, "\n";
foreach (['user_agent', 'precision', 'SMTP', 'highlight.html', 'short_open_tag', 'nothing'] as $name) {
    ini_restore($name);
}
echo json_encode($show('user_agent', 'precision', 'SMTP', 'highlight.html')), 1 / 3, "\n";
var_dump(ini_get('max_execution_time'), set_time_limit(20), ini_get('max_execution_time'), ignore_user_abort(true), ini_get('ignore_user_abort'));
var_dump(error_reporting(E_ALL & ~E_NOTICE), ini_get('error_reporting'), set_include_path('/tmp'), get_include_path(), set_include_path(''));
gc_disable();
var_dump(ini_get('zend.enable_gc'), ini_set('zend.enable_gc', 'on'), gc_enabled(), ini_set('zend.enable_gc', 'false'), gc_enabled());
// Names are in order whatever their case.
$names = array_keys(ini_get_all());
$sorted = $names;
usort($sorted, 'strcasecmp');
var_dump($names === $sorted, array_keys(ini_get_all('date')));
ini_set('date.timezone', 'Asia/Tokyo');
preg_match('/Entry \[ date.timezone.*?\}/s', new ReflectionExtension('date'), $match);
echo $match[0], "\n", (new ReflectionExtension('date'))->getINIEntries()['date.timezone'], "\n";
ini_set('display_errors', 'stderr');
ini_set('highlight.string', '');
ini_set('zlib.output_compression_level', '3');
ob_start();
phpinfo(INFO_CONFIGURATION);
phpinfo(INFO_MODULES);
preg_match_all('/^(display_errors|log_errors|highlight\.(?:string|html)|user_agent|memory_limit|date\.timezone|session\.(?:use_cookies|cookie_path)|zlib\.output_compression.*|pcre\.jit|assert\.active|auto_globals_jit|short_open_tag) => .*$/m', ob_get_clean(), $lines);
echo implode("\n", array_unique($lines[0])), "\n";

<?php
// The innermost included file is not an argument of its own include.
$file = tempnam(sys_get_temp_dir(), 'trace');
$inner = tempnam(sys_get_temp_dir(), 'trace');
file_put_contents($inner, '<?php show(debug_backtrace()); (fn() => show(debug_backtrace()))(); throw new Exception("inner");');
file_put_contents($file, '<?php function fails() { throw new Exception("called"); }
    try { fails(); } catch (Exception $e) { traces($e); } include $inner;');
function show(array $rows) {
    foreach ($rows as $row) {
        echo '  ', str_starts_with($row['function'], '{closure') ? 'closure' : $row['function'], ' ', array_key_exists('args', $row) ? count($row['args']) : 'none', "\n";
    }
}
function traces(Exception $e) {
    global $file, $inner;
    $trace = str_replace([$inner, $file, __FILE__], ['INNER', 'FILE', 'MAIN'], $e->getTraceAsString());
    echo preg_replace("/'[^']*'/", 'ARGUMENT', $trace), "\n";
}
try {
    include $file;
} catch (Exception $e) {
    traces($e);
}
unlink($file);
unlink($inner);

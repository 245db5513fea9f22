<?php
// Without a terminal: history, its file, and what can be asked for.
var_dump(count(readline_info()), readline_info('line_buffer', 'text'), readline_info('line_buffer'), readline_info('end'));
var_dump(readline_info('LINE_BUFFER'), readline_info('other'));
readline_add_history("one two\\");
readline_add_history('three');
print_r(readline_list_history());
$file = tempnam(sys_get_temp_dir(), 'history');
var_dump(readline_write_history($file));
echo file_get_contents($file);
var_dump(readline_clear_history(), readline_list_history(), readline_read_history($file), readline_list_history());
unlink($file);
var_dump(readline_read_history($file), readline_completion_function(strlen(...)));
var_dump(readline_callback_handler_install('> ', fn($line) => 1), readline_callback_handler_remove(), readline_callback_handler_remove());
try {
    readline_completion_function('no function');
} catch (TypeError $e) {
    echo $e->getMessage(), "\n";
}

<?php
// Levels of trigger_error and their words.
trigger_error('a notice');
trigger_error('a warning', E_USER_WARNING);
trigger_error('deprecated', E_USER_DEPRECATED);
try {
    trigger_error('bad level', 42);
} catch (ValueError $e) {
    echo $e->getMessage(), "\n";
}
@trigger_error('silenced', E_USER_WARNING);
echo error_get_last()['message'], error_get_last()['type'], "\n";
error_clear_last();
var_dump(error_get_last());
ini_set('error_prepend_string', '<');
ini_set('error_append_string', ">\n");
trigger_error('decorated', E_USER_NOTICE);

<?php
//: ini precision=-5
//: ini serialize_precision=99999999999999999999
//: ini default_socket_timeout=1x
//: ini include_path=
//: ini date.timezone=Nowhere/City
//: ini syslog.filter=some
//: ini max_input_vars=-1
//: ini zend.reserved_stack_size=1k
//: ini memory_limit=-5
//: ini zend.enable_gc=off
//: ini filter.default=int
//: ini output_handler=nobody
//: ini auto_detect_line_endings=on
//: one-request what is wrong in the configuration is said once in a process
// What the configuration says is looked at as what a script says is: the default stands for what is refused.
foreach (['precision', 'serialize_precision', 'default_socket_timeout', 'include_path', 'date.timezone', 'syslog.filter', 'max_input_vars',
    'zend.reserved_stack_size', 'memory_limit', 'zend.enable_gc', 'filter.default', 'output_handler'] as $name) {
    echo $name, ': ', json_encode(ini_get($name)), "\n";
}
var_dump(gc_enabled(), ob_get_level());
// The end of the request gives settings back what the configuration says, and that is looked at once more.
ini_set('auto_detect_line_endings', '0');
ini_set('default_socket_timeout', '5');
ini_set('precision', '3');

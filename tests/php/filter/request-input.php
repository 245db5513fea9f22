<?php
// The command line brings no input, whatever the arrays say.
$_GET['x'] = '1';
var_dump(filter_input(INPUT_GET, 'x'), filter_has_var(INPUT_GET, 'x'), filter_input_array(INPUT_GET), filter_input(INPUT_GET, 'x', FILTER_VALIDATE_INT, FILTER_NULL_ON_FAILURE));

<?php
// assert_options() says that it is deprecated, and not that the settings are which it changes.
foreach ([[3, 1], [4, 0], [5, 0], [1, 0]] as [$option, $value]) {
    var_dump(assert_options($option, $value));
    var_dump(@assert_options($option));
}
foreach (['assert.active', 'assert.bail', 'assert.warning', 'assert.exception'] as $name) {
    var_dump(ini_get($name));
}

<?php
// A backslash at the end of a format takes the NUL behind it.
var_dump(json_encode([date('\\'), gmdate('Y\\', 0), gmdate('\\\\', 0), (new DateTime('2020-01-01'))->format('a\\')]));

<?php
// A file of browsers is a setting of the system: without it there is nothing to say.
var_dump(get_browser('x'));

#!/usr/bin/env phlox
<?php
// A first line `#!...` is left out of every file, not only of the script that the command line names.
$file = tempnam(sys_get_temp_dir(), "phlox");
file_put_contents($file, "#!/bin/sh\n<?php echo __LINE__, \"\\n\";");
include $file;
unlink($file);
echo __LINE__, "\n";
echo highlight_string("<?php\n// note\n\techo \"a\$b<\"; ?>\ntext", true), "\n";

<?php
// The number -1 is no owner and no group: both stay as they are.
$file = tempnam(sys_get_temp_dir(), 'own');
$before = stat($file);
foreach ([chown($file, -1), chgrp($file, -1), lchown($file, -1), lchgrp($file, -1)] as $done) {
    var_dump($done);
}
clearstatcache();
$after = stat($file);
var_dump($before['uid'] === $after['uid'], $before['gid'] === $after['gid']);
unlink($file);

<?php
// What the system says of this process and of its accounts.
var_dump(posix_getpid() === getmypid(), posix_getppid() > 0, posix_getpgid(posix_getpid()) === posix_getpgrp());
var_dump(posix_getuid() === posix_geteuid(), array_keys(posix_getpwuid(0)), posix_getpwnam('root')['uid']);
var_dump(posix_getgrgid(0), posix_getgrnam('no such group'), posix_errno(), posix_getpwnam('no such user'));
var_dump(array_keys(posix_uname()), array_keys(posix_times()), posix_ctermid());
var_dump(posix_getcwd() === getcwd(), posix_kill(posix_getpid(), 0), posix_kill(0, 1000), posix_strerror(posix_get_last_error()));
var_dump(count(posix_getrlimit()), array_key_first(posix_getrlimit()), posix_getrlimit(POSIX_RLIMIT_CORE) !== false);
var_dump(posix_sysconf(POSIX_SC_NPROCESSORS_ONLN) > 0, posix_pathconf('/', POSIX_PC_NAME_MAX), posix_strerror(2), posix_strerror(0));

$fifo = sys_get_temp_dir() . '/phlox-fifo-' . getmypid();
var_dump(posix_mkfifo($fifo, 0600), filetype($fifo), posix_mkfifo($fifo, 0600), posix_strerror(posix_errno()));
var_dump(posix_access($fifo, POSIX_R_OK | POSIX_W_OK), unlink($fifo), posix_access($fifo), posix_errno());
try {
    posix_mknod($fifo, POSIX_S_IFCHR | 0600);
} catch (ValueError $error) {
    echo $error->getMessage(), "\n";
}

$file = tmpfile();
var_dump(posix_isatty($file), posix_strerror(posix_errno()), @posix_isatty('nothing'), posix_isatty(-1), posix_ttyname($file));
var_dump(@posix_isatty(fopen('php://memory', 'r')));

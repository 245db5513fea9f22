<?php
// Children end with their own status, and what they print comes once.
echo "before\n";
$child = pcntl_fork();
if ($child === 0) {
    echo "child\n";
    exit(3);
}
var_dump(pcntl_waitpid($child, $status, 0, $usage) === $child);
var_dump(pcntl_wifexited($status), pcntl_wifsignaled($status), pcntl_wexitstatus($status));
var_dump(isset($usage['ru_utime.tv_usec']));
var_dump(pcntl_wait($status), pcntl_strerror(pcntl_get_last_error()));

// A signal reaches its handler at the next dispatch, or between instructions.
pcntl_signal(SIGUSR1, function (int $signal, array $info) {
    echo "handler: $signal ", $info['signo'], ' ', $info['pid'] === getmypid() ? 'own' : 'other', "\n";
});
posix_kill(getmypid(), SIGUSR1);
echo "sent\n";
pcntl_signal_dispatch();
var_dump(pcntl_async_signals(true), pcntl_async_signals());
posix_kill(getmypid(), SIGUSR1);
echo "after\n";
pcntl_signal(SIGALRM, function () use (&$rung) { $rung = true; });
pcntl_alarm(1);
while (empty($rung)) usleep(1000);
echo "alarm\n";

// A handler's exception comes out where the script was.
pcntl_signal(SIGUSR2, fn() => throw new LogicException('from a handler'));
try {
    posix_kill(getmypid(), SIGUSR2);
} catch (LogicException $e) {
    echo $e->getMessage(), "\n";
}

// Signals that are held back can be waited for.
pcntl_sigprocmask(SIG_BLOCK, [SIGTERM], $before);
var_dump($before);
posix_kill(getmypid(), SIGTERM);
var_dump(pcntl_sigwaitinfo([SIGTERM], $info) === SIGTERM, $info['signo']);
var_dump(pcntl_sigtimedwait([SIGTERM], $info, 0, 1000));

foreach ([fn() => pcntl_signal(0, SIG_DFL), fn() => pcntl_signal(65, SIG_DFL), fn() => pcntl_signal(SIGALRM, 5),
          fn() => pcntl_signal(SIGALRM, 'no such function'), fn() => pcntl_sigprocmask(9, [1]),
          fn() => pcntl_sigwaitinfo([])] as $wrong) {
    try {
        $wrong();
    } catch (Error $e) {
        echo get_class($e), ': ', $e->getMessage(), "\n";
    }
}
var_dump(pcntl_signal_get_handler(SIGHUP));

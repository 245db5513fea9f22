<?php
// Messages: values and texts, types, sizes, and errors.
error_reporting(E_ALL);
set_error_handler(function (int $level, string $text) { echo $level, ': ', $text, "\n"; return true; });
function attempt(callable $what) {
    try { var_dump($what()); } catch (Throwable $error) { echo get_class($error), ': ', $error->getMessage(), "\n"; }
}
$key = 0x50490000 | getmypid();
attempt(fn() => msg_queue_exists($key));
$queue = msg_get_queue($key, 0640);
attempt(fn() => [get_class($queue), msg_queue_exists($key), array_keys(msg_stat_queue($queue)), decoct(msg_stat_queue($queue)['msg_perm.mode'])]);
foreach ([['a' => [1, 2.5, null]], 'text', 5, true, new ArrayObject([1])] as $message) {
    var_dump(msg_send($queue, 3, $message));
    var_dump(msg_receive($queue, 0, $type, 1000, $received, true, 0, $error), $type, $received, $error);
}
foreach (['text', 17, true, false, 1.5, "a\0b"] as $message) {
    msg_send($queue, 2, $message, false);
    var_dump(msg_receive($queue, 2, $type, 100, $received, false), $received);
}
attempt(fn() => msg_send($queue, 2, [], false));
attempt(fn() => msg_send($queue, 2, null, false));
attempt(fn() => msg_send($queue, 0, 'x', true, true, $error));
attempt(fn() => msg_receive($queue, 0, $type, 0, $received));
attempt(fn() => [msg_receive($queue, 9, $type, 10, $received, true, MSG_IPC_NOWAIT, $error), $type, $received, $error === MSG_ENOMSG]);
msg_send($queue, 1, 'a long text', false);
attempt(fn() => [msg_receive($queue, 1, $type, 4, $received, false, MSG_IPC_NOWAIT, $error), $error]);
attempt(fn() => [msg_receive($queue, 1, $type, 4, $received, false, MSG_NOERROR, $error), $received, $error]);
msg_send($queue, 1, 'one', false);
msg_send($queue, 2, 'two', false);
attempt(fn() => [msg_receive($queue, 1, $type, 100, $received, false, MSG_EXCEPT), $type, $received]);
attempt(fn() => [msg_receive($queue, -5, $type, 100, $received, false), $type, $received]);
msg_send($queue, 1, 'no serialised text', false);
attempt(fn() => [msg_receive($queue, 1, $type, 100, $received), $received]);
attempt(fn() => [msg_set_queue($queue, ['msg_perm.mode' => 0600, 'msg_qbytes' => 2000]), decoct(msg_stat_queue($queue)['msg_perm.mode']), msg_stat_queue($queue)['msg_qbytes'], msg_stat_queue($queue)['msg_qnum']]);
attempt(fn() => msg_send($queue, 1, str_repeat('x', 3000), false, false, $error));
attempt(fn() => msg_remove_queue($queue));
attempt(fn() => [msg_remove_queue($queue), msg_stat_queue($queue), msg_queue_exists($key)]);
attempt(fn() => new SysvMessageQueue);
attempt(fn() => clone $queue);
attempt(fn() => serialize($queue));

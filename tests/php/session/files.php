<?php
// A session in a file: saved, read again, given another id, destroyed; and a handler of PHP's. Tests run side by side.
ini_set('session.use_cookies', 0);
ini_set('session.cache_limiter', '');
ini_set('session.save_path', sys_get_temp_dir());
ob_start();
session_id('phlox-test-' . getmypid());
var_dump(session_start(), session_status() === PHP_SESSION_ACTIVE);
$_SESSION = ['user' => 'ada', 'list' => [1, 2, 3]];
$_SESSION['self'] = &$_SESSION['list'];
echo session_encode(), "\n";
session_write_close();
$_SESSION = [];
session_start();
$_SESSION['self'][] = 4;
echo json_encode($_SESSION), "\n";
$old = session_id();
var_dump(session_regenerate_id(true), session_id() !== $old, strlen(session_id()));
session_destroy();
var_dump(session_id());

class Memory implements SessionHandlerInterface
{
    private array $data = [];
    public function open(string $path, string $name): bool { echo "open $name\n"; return true; }
    public function close(): bool { echo "close\n"; return true; }
    public function read(string $id): string|false { echo "read $id\n"; return $this->data[$id] ?? ''; }
    public function write(string $id, string $data): bool { echo "write $data\n"; $this->data[$id] = $data; return true; }
    public function destroy(string $id): bool { unset($this->data[$id]); return true; }
    public function gc(int $max_lifetime): int|false { return 0; }
}
session_set_save_handler(new Memory());
session_id('m');
session_start(['serialize_handler' => 'php_serialize', 'gc_probability' => 0]);
$_SESSION['x'] = 1;
session_commit();
session_start();
var_dump($_SESSION);

<?php
// Which destructors run, and when, if the text turns out to be malformed; which property a name means.
class G { public $h; public $k; function __destruct() { echo "dtor ", json_encode($this), "\n"; } }
class W extends G { function __wakeup() { echo "wakeup\n"; } }
class U extends G { function __unserialize($a): void { echo "unser\n"; } }
class T { public int $n; public ?G $g; function __destruct() { echo "T dtor\n"; } }
function t($s) { echo "-- $s\n"; $r = unserialize($s); var_dump($r === false); unset($r); }
set_error_handler(function ($n, $m) { echo "handler: $m\n"; return true; });
t('O:1:"G":1:{s:1:"h";i:1;');
t('O:1:"G":2:{s:1:"h";i:1;}');
t('O:1:"G":1:{s:1:"h";O:1:"G":1:{s:1:"k";X}}');
t('a:2:{i:0;O:1:"G":1:{s:1:"h";i:5;}i:1;O:1:"G":1:{s:1:"h";X');
t('a:2:{i:0;O:1:"W":1:{s:1:"h";i:5;}i:1;O:1:"W":1:{s:1:"h";X');
t('a:2:{i:0;O:1:"U":1:{s:1:"h";i:5;}i:1;O:1:"U":1:{s:1:"h";X');
t('a:2:{i:0;O:1:"W":1:{s:1:"h";i:5;}i:1;O:1:"G":1:{s:1:"h";X');
t('a:1:{i:0;O:1:"G":0:{}');
t('O:8:"stdClass":1:{s:1:"a";O:1:"G":1:{s:1:"h";i:1;}');
try { t('O:1:"T":2:{s:1:"g";O:1:"G":0:{}s:1:"n";s:1:"x";}'); } catch (TypeError $e) { echo $e->getMessage(), "\n"; }
try { t('a:1:{i:0;O:1:"T":2:{s:1:"g";O:1:"G":0:{}s:1:"n";s:1:"x";}}'); } catch (TypeError $e) { echo $e->getMessage(), "\n"; }
set_error_handler(function ($n, $m) { throw new Exception($m); });
try { t('a:2:{i:0;O:1:"W":1:{s:1:"h";i:5;}i:1;O:1:"G":1:{s:1:"h";X'); } catch (Exception $e) { echo "caught\n"; unset($e); }
restore_error_handler(); restore_error_handler();

class A { private $x = 1; private int $typed = 2; protected $seen = 3; function get() { return [$this->x, $this->typed, $this->seen]; } }
class B extends A {}
class C extends B { private $x = 'own'; function own() { return $this->x; } }
echo json_encode(unserialize('O:1:"B":3:{s:1:"x";i:5;s:5:"typed";i:6;s:4:"seen";i:7;}')->get()), "\n";
$c = unserialize('O:1:"C":2:{s:1:"x";i:5;s:4:"' . "\0A\0x" . '";i:9;}');
echo json_encode([$c->get(), $c->own()]), "\n";
class P { private $y = 2; function __serialize(): array { return ['y' => 7]; } function get() { return $this->y; } }
class Q extends P {}
var_dump(unserialize(serialize(new Q))->get());

<?php
//: exit 255
// An uncaught exception prints its chain and trace; shutdown still runs.
namespace App;
register_shutdown_function(function () { echo "shutdown\n"; });
class Problem extends \Exception {}
class Service { public function run(array $a, $o, string $s, ...$rest) { try { $this->inner(); } catch (\Throwable $t) { throw new Problem('wrapped', 5, $t); } } private function inner() { throw new \LogicException("multi\nline"); } }
function entry(callable $c) { $c(); }
entry(fn() => (new Service)->run([1], new \stdClass, 'a rather long string argument', 1.5, null, true));

<?php
// A trace becomes an array when somebody looks at it: nobody can tell.
ob_start(fn(string $text) => preg_replace('/string\(\d+\) (?="[^"]*traces-made)/', "path ", str_replace("\0", "~", $text)));
class A { function __destruct(){ echo "~A\n"; } function m(array $x, ...$r){ throw new LogicException('x', 3, new RuntimeException('p')); } }
function f(#[SensitiveParameter] $pw, $o) { return (new A)->m([1,2], ...$o); }
try { f('secret', [1, 'k' => 2]); } catch (Exception $e) { var_dump($e); echo $e->getTraceAsString(), "\n"; print_r($e->getTrace()); }
unset($e);
function g(&$r, $u) { unset($u); $r = 5; throw new Exception('g'); }
try { g($z, 3); } catch (Exception $e) { }
try { g($z, 3); } catch (Exception $e) { }
try { g($z, new A); } catch (Exception $e) { }
echo "before\n"; print_r((array)$e); unset($e); echo "after\n";
try { g($z, new A); } catch (Exception $e) { }
echo serialize($e) === serialize($e) ? "same\n" : "not\n";
var_dump(unserialize(serialize(new Exception('s')))->getTrace());
foreach ((fn() => get_object_vars($this))->call($e) as $k => $v) echo $k, "\n";
var_dump($e == $e, $e == new Exception('g'));
class Sub extends Error { private $trace = 'mine'; public $x = 1; function t() { return $this->trace; } }
function h($q) { throw new Sub("s"); }
try { h(M_PI); } catch (Error $e) { var_dump($e->t(), $e->getTrace()); }
ini_set('zend.exception_ignore_args', 1);
try { h(M_PI); } catch (Error $e) { ini_set('zend.exception_ignore_args', 0); var_dump($e->getTrace()); }
array_map(function ($x) { try { array_map(fn($y) => throw new Exception("in"), [1]); } catch (Exception $e) { echo $e, "\n"; } }, [1]);
function gen() { try { yield 1; } finally { echo "fin\n"; } }
$g = gen(); foreach ($g as $v) { try { $g->throw(new Exception('t')); } catch (Exception $e) { echo $e, "\n"; } }
const K = 3; class C2 { const X = self::Y . 'a'; const Y = UNDEF_C; }
try { echo C2::X; } catch (Error $e) { echo $e, "\n"; var_dump($e->getTrace()); }
$r = new ReflectionProperty('Exception', 'trace'); $e = (function($a) { return new Exception; })(5); var_dump($r->isInitialized($e), $r->getValue($e));
eval('function ev($a) { throw new Exception("ev"); }'); try { ev([1]); } catch (Exception $e) { echo $e, "\n"; }

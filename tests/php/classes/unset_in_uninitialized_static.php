<?php
class A { public static array $one; public static ?array $two = null; public static int $n; public array $p; public ?array $q; public static array|ArrayObject $u; public A $o; }
unset(A::$one[2]); echo "ok1\n";
try { unset(A::$n[1]); echo "ok n\n"; } catch (Error $e) { echo $e->getMessage(), "\n"; }
try { unset(A::$u->prop); echo "ok u\n"; } catch (Error $e) { echo $e->getMessage(), "\n"; }
try { A::$one['k'] .= 'x'; echo "ok .=\n"; } catch (Error $e) { echo $e->getMessage(), "\n"; }
try { A::$one['k']++; echo "ok ++\n"; } catch (Error $e) { echo $e->getMessage(), "\n"; }
try { $r = &A::$one['k']; echo "ok &\n"; } catch (Error $e) { echo $e->getMessage(), "\n"; }
var_dump(A::$one); unset($r);
$a = new A; unset($a->p['x'], $a->q[1]); echo "ok2\n";
try { $a->p['k'] .= 'x'; echo "ok .=\n"; } catch (Error $e) { echo $e->getMessage(), "\n"; }
try { var_dump(isset($a->o->p['x']), $a->o->p['x'] ?? 'd', empty($a->q[0])); } catch (Error $e) { echo $e->getMessage(), "\n"; }
A::$n = 5; try { unset(A::$n[1]); } catch (Error $e) { echo $e->getMessage(), "\n"; }
unset(A::$two['x']); var_dump(A::$two); A::$two = []; unset(A::$two[1][2]); var_dump(A::$two);
try { unset(A::$nope['x']); } catch (Error $e) { echo $e->getMessage(), "\n"; }
class B { static function f() { unset(static::$typed['a'], self::$typed['b']); return isset(self::$typed); } public static ?array $typed; static function g() { foreach ([1,2] as $x) { static::$typed[$x] = $x; } unset(static::$typed[1]); return static::$typed; } }
var_dump(B::f(), B::g());
try { foreach (A::$nope2 ?? [] as $x); list(A::$one['l']) = [4]; [A::$one['m'], A::$n] = [1, '7']; var_dump(A::$one, A::$n); } catch (Error $e) { echo $e->getMessage(), "\n"; }
// names of variables
function name($s) { echo "[$s]"; return $s; }
$abxy = 1; ${'ab' . 'xy'} = name('v'); echo $abxy, "\n";
${name('q1')} = name('v1'); ${name('q2') . name('x')} = name('v2'); echo $q1, $q2x, "\n";
 
echo ${name('q1')} . ${'q' . 1}, "\n"; ${'q' . 1} .= name('app'); echo $q1, "\n"; ${name('arr')}[name('i')][name('j')] = name('val'); echo json_encode($arr), "\n";
$i = 0; ${'v' . $i++} = $i; echo $v0, "\n"; ${'v' . $i} = $i = 7; echo $v1 ?? 'none', ${'v7'} ?? 'n7', "\n";

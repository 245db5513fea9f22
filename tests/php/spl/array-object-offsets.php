<?php
class A extends ArrayObject { function offsetExists($o): bool { echo "ex($o)\n"; return parent::offsetExists($o);} function offsetGet($o): mixed { echo "get($o)\n"; return parent::offsetGet($o);} }
class B extends ArrayObject { function offsetExists($o): bool { echo "ex($o)\n"; return true;} }
class C extends ArrayObject { function offsetGet($o): mixed { echo "get($o)\n"; return 0;} }
class G extends ArrayIterator { function offsetExists($o): bool { echo "ex($o)\n"; return false;} function offsetSet($k,$v):void { echo "set ",var_export($k,true),"\n"; parent::offsetSet($k,$v);} function offsetUnset($k):void {echo "unset $k\n"; parent::offsetUnset($k);} }
foreach (['ArrayObject','ArrayIterator','A','B','C','G'] as $c) { echo "== $c\n";
$o = new $c(['a'=>0,'b'=>null,'c'=>5,3=>'x','d'=>['e'=>1]]);
foreach (['a','b','c','zz',3,'3',3.7,null,true] as $k) { echo "-- "; var_dump($k); try {
 echo "isset "; var_dump(isset($o[$k])); echo "empty "; var_dump(empty($o[$k])); echo "?? "; var_dump($o[$k] ?? 'def'); echo "exists "; var_dump($o->offsetExists($k)); echo "get "; var_dump($o[$k]); } catch (Throwable $e) { echo get_class($e),$e->getMessage(),"\n"; } }
var_dump(isset($o['d']['e']), empty($o['d']['e']), $o['d']['f'] ?? 1, isset($o['d']['e']['g']));
try { $o['d']['n']=5; } catch (Throwable $e) { echo get_class($e),$e->getMessage(),"\n"; }
try { $o[]=5; } catch (Throwable $e) { echo get_class($e),$e->getMessage(),"\n"; }
try { $o[[]]=5; } catch (Throwable $e) { echo get_class($e),$e->getMessage(),"\n"; }
try { $o[new stdClass]=5; } catch (Throwable $e) { echo get_class($e),$e->getMessage(),"\n"; }
try { isset($o[[]]); } catch (Throwable $e) { echo get_class($e),$e->getMessage(),"\n"; }
try { unset($o[[]]); } catch (Throwable $e) { echo get_class($e),$e->getMessage(),"\n"; }
try { unset($o['zz']); unset($o['a']); unset($o[null]);} catch (Throwable $e) { echo get_class($e),$e->getMessage(),"\n"; }
try { $o['q'] .= 'x'; $o['c']++; $o['c'] ??= 7; $o['new'] ??= 7; $x = &$o['ref']; $x = 4; } catch (Throwable $e) { echo get_class($e),$e->getMessage(),"\n"; }
var_dump($o);
}

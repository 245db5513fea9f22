<?php
// What `op=` says of an object that does not give its element, and other orders of errors around elements of objects.
class T implements ArrayAccess { function offsetGet($o):mixed { throw new LogicException('get'); } function offsetSet($o,$v):void {} function offsetExists($o):bool {return true;} function offsetUnset($o):void {} }
function t($f) { try { $f(); } catch (Throwable $e) { do { echo get_class($e),': ',$e->getMessage(),' @',$e->getLine(),"\n"; } while ($e = $e->getPrevious()); echo "-\n"; } }
t(function() { $o = new T; $o[1] .= 'x'; });
t(function() { $o = new T; $o[1] += 1; });
t(function() { $o = new T; $o[1]++; });
t(function() { $o = new T; $o[1][2] = 3; });
t(function() { $o = new T; $o[1] ??= 3; });
t(function() { $o = new SplFixedArray(1); $o[1] .= 'x'; });
t(function() { $o = new SplFixedArray(1); $o['a'] .= 'x'; });
t(function() { $o = new SplFixedArray(1); $o[1]++; });
t(function() { $o = new SplFixedArray(1); $o[1][2] = 1; });
t(function() { $o = new ArrayObject(); $o[1] .= 'x'; });
t(function() { $o = new SplObjectStorage(); $o[$o] .= 'x'; });
t(function() { $o = new SplDoublyLinkedList(); $o[1] .= 'x'; });
t(function() { $o = new SplStack(); $o['a'] .= 'x'; });
t(function() { $o = new stdClass; $o[1] .= 'x'; });
t(function() { $o = new ArrayObject(); $o[[]] .= 'x'; });

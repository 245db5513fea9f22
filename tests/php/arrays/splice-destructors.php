<?php
class D { public $n; function __construct($n){$this->n=$n;} function __destruct(){ global $a; echo "d{$this->n} "; echo is_array($a)?json_encode(array_map(fn($x)=>$x->n??$x,$a)):gettype($a); echo "\n"; } }
$a=[new D(1), new D(2), 'k'=>new D(3), new D(4), 'l'=>new D(9)];
array_splice($a, 1, 3, [new D(5)]); echo "-- ", count($a), "\n";
array_splice($a, 0, 1, 7); echo "-- ", count($a), "\n";
$x=array_splice($a, -1); echo "-- ", count($a), "\n"; $x=null;
$a=[new D(1), new D(2), new D(3), new D(4)];
array_splice($a, 1, 2); echo "--\n";
$a=[]; echo "--\n";
class E2 { public $n; function __construct($n){$this->n=$n;} function __destruct(){ global $a; $a[]=$this->n; echo "mod\n"; } }
try { $a=[new E2(1), 2, new E2(3), 4]; array_splice($a,0,1); } catch (Throwable $e) { echo get_class($e), $e->getMessage(), "\n"; }
var_dump(count($a)); 
try { $a=[new E2(1), 2, new E2(3), 4, 'x'=>5]; array_splice($a,0,3,'r'); } catch (Throwable $e) { echo get_class($e), $e->getMessage(), "\n"; }
var_dump(count($a)); 
class E3 { function __destruct(){ global $a; $a=null; echo "null\n"; } }
try { $a=[new E3, 2, new E3, 4]; array_splice($a,0,3,'r'); } catch (Throwable $e) { echo get_class($e), $e->getMessage(), "\n"; }
var_dump($a); 
foreach (['array_pop','array_shift'] as $f) { $a=[new D(1), 2, new D(3)]; $f($a); echo "--\n"; }
$a=[new D(1), 2, new D(3)]; $b=$a; $a=[]; array_walk($b, function(&$v){ $v=1; echo "w\n";}); 

<?php
class Acc { public int $un { set => $value; } public string $low { set(string|int $v) => strtolower((string)$v); } public int $plain; public $unt { set => $value; } public ?int $virt { set { } } 
 public int $g { get => $this->g ?? 9; set => $value; } }
$a = new Acc;
echo "foreach: "; foreach ($a as $k => $v) echo "$k=", json_encode($v), " "; echo "\n";
echo "vars: ", json_encode(get_object_vars($a)), " json: ", json_encode($a), " mangled: ", json_encode(get_mangled_object_vars($a)), " cast: ", json_encode((array)$a), "\n";
var_export($a); echo "\n"; var_dump($a); print_r($a);
try { foreach ($a as $k => &$v) echo "ref $k\n"; } catch (Throwable $e) { echo get_class($e), ': ', $e->getMessage(), "\n"; }
class B2 { public int $plain; public ?int $set { set => $value; } } $b = new B2;
try { foreach ($b as $k => &$v) echo "ref $k\n"; } catch (Throwable $e) { echo get_class($e), ': ', $e->getMessage(), "\n"; }
try { echo $a->un; } catch (Throwable $e) { echo get_class($e), ': ', $e->getMessage(), "\n"; }
var_dump(isset($a->un), isset($a->unt), $a->un ?? 'd', empty($a->un), isset($a->g), property_exists($a, 'un'));
try { $a->un++; } catch (Throwable $e) { echo get_class($e), ': ', $e->getMessage(), "\n"; }
try { $a->un .= 'x'; } catch (Throwable $e) { echo get_class($e), ': ', $e->getMessage(), "\n"; }
try { $a->unt[] = 'x'; } catch (Throwable $e) { echo get_class($e), ': ', $e->getMessage(), "\n"; }
try { $r = &$a->un; } catch (Throwable $e) { echo get_class($e), ': ', $e->getMessage(), "\n"; }
try { var_dump($a->virt); } catch (Throwable $e) { echo get_class($e), ': ', $e->getMessage(), "\n"; }
try { unset($a->un); } catch (Throwable $e) { echo get_class($e), ': ', $e->getMessage(), "\n"; }
try { echo serialize($a), "\n"; } catch (Throwable $e) { echo get_class($e), ': ', $e->getMessage(), "\n"; }
$a->un = 3; $a->low = 'XY'; $a->un++; $a->low .= 'Z'; foreach ($a as $k => $v) echo "$k=", json_encode($v), " "; echo json_encode($a), json_encode(get_object_vars($a)), "\n";
var_dump($a == new Acc, (clone $a)->un, array_key_exists('un', get_object_vars(new Acc)), count((array)new Acc));
foreach ((new ReflectionClass('Acc'))->getProperties() as $p) echo $p->getName(), ' ', json_encode([$p->isInitialized(new Acc), $p->hasDefaultValue()]), "\n";
class M { public int $x { set => $value; } function __get($n) { echo "get $n\n"; return empty($this->$n) ? 'e' : 'f'; } function __isset($n) { echo "isset $n\n"; return isset($this->$n); } private $p = 5; }
$m = new M; try { var_dump($m->x); } catch (Throwable $e) { echo $e->getMessage(), "\n"; } var_dump(isset($m->x), $m->p, isset($m->p), $m->nope, empty($m->nope), empty($m->p), $m->p ?? 'd');

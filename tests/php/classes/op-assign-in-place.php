<?php
// What `op=` makes grow leaves its place meanwhile, unless the operation may fail or be refused, or look at the place.
#[AllowDynamicProperties]
class O {
    public $s = 'a';
    public string $typed = 'a';
    public array $list = [1];
    public int|string $either = 'a';
    public private(set) string $guarded = 'a';
    public readonly string $fixed;
    public static $static = 'a';
    public static string $typedStatic = 'a';
    public static $staticList = [];
    function __construct() { $this->fixed = 'a'; $this->dynamic = 'a'; }
}
class Shown { function __toString() { global $o; return "[$o->s|$o->typed|$o->dynamic|" . O::$static . ']'; } }
$o = new O;
$attempt = function (callable $what) { try { $what(); } catch (Error $e) { echo get_class($e), ': ', $e->getMessage(), "\n"; } };
foreach (['s', 'dynamic', 'guarded', 'fixed'] as $name) {
    $attempt(fn() => $o->$name .= 'b');
    $attempt(fn() => $o->$name .= new Shown);
    $attempt(fn() => $o->$name += [2, 3]);
    $attempt(fn() => $o->$name .= 5);
    $attempt(fn() => $o->$name += 1);
    $attempt(fn() => $o->$name .= new stdClass);
    var_dump($o->$name);
}
$o->typed .= 'b'; $o->either .= 'b'; $o->typed .= new Shown; $o->either .= 5; var_dump($o->typed, $o->either);
$class = 'O';
$attempt(fn() => $class::$static .= 'b');
$attempt(fn() => $class::$static .= new Shown);
$attempt(fn() => $class::$static += [1]);
$attempt(fn() => $class::$typedStatic .= 'b');
$attempt(fn() => $class::$staticList += ['k' => 1]);
var_dump(O::$static, O::$typedStatic, O::$staticList);
$o->list += [2, 3]; var_dump($o->list);
// Others that hold the value keep it.
$other = $o->dynamic; $o->dynamic .= '!'; $list = $o->list; $o->list += [9 => 9];
$ref = &$o->dynamic; $o->dynamic .= '?';
var_dump($other, $o->dynamic, $ref, $list, $o->list);
// Long ones are not copied at each step.
$o = new stdClass; $o->text = ''; $o->list = []; O::$static = ''; O::$staticList = [];
for ($i = 0; $i < 60000; $i++) {
    $o->text .= 'abc';
    $o->list += ["k$i" => $i];
    $class::$static .= 'abc';
    $class::$staticList += ["k$i" => $i];
}
var_dump(strlen($o->text), count($o->list), md5(O::$static), count(O::$staticList));

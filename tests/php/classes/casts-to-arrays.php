<?php
// (array) of objects and of what is none, what scopes see of objects, and output of strings that its taker changes.
class Base
{
    private $hidden = 'of base';
    protected $shared = 'shared';
    public $open = 'open';
    public ?int $unset;
    public function ofBase() { return get_object_vars($this); }
}
class Own extends Base
{
    private $hidden = 'of own';
    public array $list = [1];
    public function ofOwn() { return get_object_vars($this); }
}
$object = new Own;
var_dump(count((array) $object), array_map('rawurlencode', array_keys((array) $object)), get_object_vars($object), $object->ofBase(), $object->ofOwn());
$object->{'5'} = 'dynamic';
var_dump(get_object_vars($object), ((array) $object)[5]);
class None {}
var_dump((array) new None, get_object_vars(new None), (array) null, (array) 'text', (array) 1.5, (array) [1, 2], (array) (fn() => 1) == [1]);
var_dump((array) new ArrayObject(['a' => 1]), (array) (object) ['x' => 1, '7' => 2]);
$values = [1];
$reference = &$values;
$copy = (array) $reference;
$copy[] = 2;
var_dump($values, count($copy));
class Ends { public $x = 1; public function __destruct() { echo "ended\n"; } }
var_dump((array) new Ends);
class Throws { public function __destruct() { throw new Exception('in the destructor'); } }
try {
    var_dump((array) new Throws);
} catch (Exception $e) {
    echo $e->getMessage(), "\n";
}
class Hooked { public $plain = 1; public int $twice { get => $this->plain * 2; } }
var_dump(get_object_vars(new Hooked), count((array) new Hooked));
function cast($x) { $list = (array) $x; $list[] = 'more'; return $list; }
echo json_encode([cast(1), cast([]), cast(null), cast(['k' => 1])]), "\n";

// Output.
$text = str_repeat('taken ', 2);
ob_start(function ($output) { $GLOBALS['text'] = 'changed'; return strtoupper($output); }, 1);
echo $text;
echo $text, "literal", str_repeat('.', 3), 5, null, 1.5, true, "\n";
ob_end_flush();
echo $text, "\n";

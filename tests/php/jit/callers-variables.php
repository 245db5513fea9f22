<?php
// Builtin functions that look around in their caller, in functions that are run often enough to be compiled.
function view(array $data) { extract($data); $a = $title ?? 'none'; return [$a, isset($title) ? compact('title') : []]; }
function skip(array $data, $n) { extract($data, EXTR_SKIP); $$n = 'dynamic'; return [$header ?? 'no', array_keys(get_defined_vars())]; }
function refs() { $arr = ['v' => 1, 'w' => [2]]; extract($arr, EXTR_REFS); $v = 99; $w[] = 3; return $arr; }
function prefixed(array $data) { $n = extract($data, EXTR_PREFIX_ALL, 'p'); return [$n, $p_x ?? 0, $p_y ?? 0]; }
function overwritten($x) { $sum = 0; for ($i = 0; $i < 3; $i++) { extract(['x' => $x + $i]); $sum += $x; } return [$sum, $x]; }
function typed(int $n) { $s = 'a'; extract(['n' => 'text', 's' => 1.5]); return [$n, $s]; }
function unset_by_name() { $a = 1; $b = 'b'; $n = 'a'; unset($$n); return [isset($a), $b, get_defined_vars()]; }
function evaluated($x) { $y = 1; eval('$y = $y + $x; $z = "made";'); return [$y, $z]; }
function parsed($s) { parse_str($s, $o); return $o; }
function arguments($a, $b = 2) { $a = 'changed'; return [func_get_args(), func_num_args(), func_get_arg(0)]; }
function global_and_static() { global $shared; static $count = 0; $count++; $shared = $count; extract(['count' => 50]); return [$count, $shared]; }
function nested($x) { $f = fn() => get_defined_vars(); $y = $x; return [$f(), (function () use ($y) { extract(['y' => $y * 2]); return $y; })()]; }
class Template { private $data = ['title' => 'T', 'items' => [1, 2]]; function render($title) { $own = 1; extract($this->data); foreach ($items as $item) $own += $item; return "$title $own"; } }
$last = [];
$template = new Template;
for ($k = 0; $k < 300; $k++) {
    $all = [view(['title' => "T$k"]), view([]), skip(['data' => 'x', 'header' => $k], 'header'), skip([], 'made'), refs(), prefixed(['x' => $k, 'y' => 'z']),
        overwritten($k), typed($k), unset_by_name(), evaluated($k), parsed("a=$k&b[]=1"), arguments($k), arguments($k, 3, 4), global_and_static(), nested($k), $template->render('old')];
    if ($k % 100 == 99) echo json_encode($all), "\n";
}
// In a loop of the main program, whose variables anybody may write.
set_error_handler(function () { $GLOBALS['total'] += 1000; return true; });
function change() { $GLOBALS['total'] = $GLOBALS['total'] * 1 + 1; return 1; }
$total = 0;
for ($i = 0; $i < 300; $i++) { $total += change(); extract(['total' => $total + 1]); $x = $missing ?? 1; if ($i % 100 == 0) { $y = $undefined; } }
echo $total, "\n";

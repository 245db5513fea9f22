//! Cases that make objects of builtin classes and do many things to them.

use crate::case::{Case, fill};
use crate::catalogue::{Catalogue, Class, Function};
use crate::forbidden;
use crate::values::Values;

/// What is done to an object whatever its class is; `V` is the object, `W` another value, `K` a key.
const PLAIN: &[&str] = &[
    "$copy = clone V; show($copy); $copy = null;",
    "$s = serialize(V); echo cut($s), \"\\n\"; show(unserialize($s));",
    "written('var_dump', V);",
    "written('print_r', V);",
    "written('var_export', V);",
    "written('debug_zval_dump', V);",
    "written('json_encode', V);",
    "show((array) V);",
    "show((string) V);",
    "show((bool) V);",
    "show((int) V);",
    "show(V == W);",
    "show(V <=> W);",
    "show(V < W);",
    "show(V === W);",
    "show(count(V));",
    "show(iterator_to_array(V));",
    "show(iterator_count(V));",
    "show(iterator_apply(V, fn () => hook(true)));",
    "show(V[K]);",
    "V[K] = W;",
    "V[] = W;",
    "unset(V[K]);",
    "show(isset(V[K]));",
    "V[K][K] = W;",
    "$x = &V[K]; $x = W;",
    "show(V[K] ?? 'none');",
    "show(empty(V[K]));",
    "++V[K];",
    "V[K] .= 'x';",
    "V->own = V;",
    "V->own[] = W;",
    "V->own = [&V];",
    "$cycle = [V, &$cycle]; unset($cycle);",
    "gc_collect_cycles();",
    "$w = WeakReference::create(V); show($w->get());",
    "show(get_object_vars(V));",
    "show(get_mangled_object_vars(V));",
    "array_walk(V, fn (&$x) => $x = hook($x));",
    "show(reset(V)); show(next(V)); show(key(V));",
    "extract((array) V);",
    "show(spl_object_id(V) > 0);",
    "foreach (V as $key => $each) { show($key); show($each); if (++$n > 5) break; }",
    "foreach (V as $key => &$each) { $each = W; if (++$n > 5) break; }",
    "foreach (V as $each) { V[] = 1; if (++$n > 5) break; }",
    "foreach (V as $key => $each) { unset(V[$key]); if (++$n > 5) break; }",
    "foreach (V as $a) { foreach (V as $b) { show($b); if (++$n > 8) break 2; } }",
    "foreach (V as $each) { V = null; gc_collect_cycles(); if (++$n > 5) break; }",
    "$g = (function () use (&V) { yield from V; })(); foreach ($g as $each) { show($each); if (++$n > 5) break; }",
    "[$x, $y] = V; show($x);",
    "show([...V]);",
    "show(max(...V));",
    "hook(...V);",
    "show(V());",
    "show(any(V, N));",
    "show(any(V, N, W));",
    "show(any(V, N, W, K));",
    "show(any($r, N));",
    "show(any($r, N, W));",
    "show(any($r, N, V, W));",
    "V = $r;",
    "W = $r;",
    "V = null;",
    "unset(V); gc_collect_cycles(); V = null;",
    "$r = null;",
    "V->__construct();",
    "V->__construct(W);",
    "V->__construct(V);",
    "show(V instanceof Traversable);",
    "V->__destruct();",
    "V->__unserialize((array) W);",
    "V->__wakeup();",
    "show(V->__serialize());",
    "show(array_map(fn ($x) => hook($x), [...(array) V]));",
    "$r = (new ReflectionObject(V))->newLazyGhost(fn () => hook()); show($r);",
    "$r = (new ReflectionObject(V))->newInstanceWithoutConstructor(); show($r);",
    "foreach ((new ReflectionObject(V))->getProperties() as $p) { $p->setAccessible(true); show($p->getValue(V)); }",
    "(function () { foreach (get_object_vars($this) as $k => $x) { $this->$k = W; } })->call(V);",
    "(function () { foreach (get_object_vars($this) as $k => $x) { unset($this->$k); } })->call(V);",
    "$m = new WeakMap; $m[V] = V; unset($m); gc_collect_cycles();",
    "$o = new SplObjectStorage; $o[V] = V; V = null; unset($o); gc_collect_cycles();",
    "$f = new Fiber(fn () => any(V, N, W)); $f->start(); unset($f);",
    "show(V->nothing ?? 'unset');",
    "$p = 'own'; V->{$p}[1] = 2;",
    "$r = V->getIterator(); show($r);",
    "$r = V->current();",
    "usort($list, fn ($a, $b) => $a <=> $b);",
    "$r = Closure::fromCallable([V, '__toString']); show($r());",
    "unset(V); show($r);",
    "unset(V, W); gc_collect_cycles(); written('var_dump', $r);",
    "foreach ($r as $each) { show($each); if (++$n > 5) break; }",
    "$r->own = V;",
    "V->own = $r; unset(V);",
    "show($r == V);",
    "show(clone $r);",
    "set_error_handler(null);",
    "$held = [V, W, $r]; unset(V, W, $r); show($held); unset($held);",
];
const KEYS: &[&str] =
    &["0", "1", "-1", "'a'", "'k'", "null", "PHP_INT_MAX", "2.5", "true", "'0'", "$r", "new stdClass", "[]", "''"];

/// A case about the classes of the catalogue.
pub fn case(catalogue: &Catalogue, seed: u64) -> String {
    let mut case = Case { values: Values::new(catalogue, seed), lines: Vec::new() };
    let classes: Vec<&Class> = catalogue.classes.iter().filter(|class| !class.is_abstract).collect();
    if classes.is_empty() {
        return String::new();
    }
    let class = classes[case.values.rng.below(classes.len())];
    for _ in 0..1 + case.values.rng.below(2) {
        let object = case.values.object(&class.name, 0);
        case.declare(&object);
    }
    let other = case.values.anything(1);
    case.declare(&other);
    case.lines.push("$n = 0;".to_owned());
    for _ in 0..5 + case.values.rng.below(14) {
        if case.values.rng.chance(12) {
            let again = step(&mut case, class);
            case.act(&again);
        }
        let code = step(&mut case, class);
        case.attempt(&code);
    }
    case.finish(seed)
}

/// One thing that is done.
fn step(case: &mut Case, class: &Class) -> String {
    match case.values.rng.below(20) {
        0..=9 => method(case, class),
        10..=11 => property(case, class),
        12 => function(case, class),
        _ => plain(case),
    }
}

fn plain(case: &mut Case) -> String {
    let object = subject(case);
    let (other, key) = (case.values.variable(), case.values.of(KEYS));
    let number = case.values.rng.below(60).to_string();
    fill(case.values.of(PLAIN), &[("V", &object), ("W", &other), ("K", key), ("N", &number)])
}

/// The variable that holds the object, mostly.
fn subject(case: &mut Case) -> String {
    match case.values.rng.chance(70) {
        true => "$v0".to_owned(),
        false => case.values.variable(),
    }
}

fn method(case: &mut Case, class: &Class) -> String {
    let allowed: Vec<&Function> = class
        .methods
        .iter()
        .filter(|method| forbidden::allows_method(&class.name, &method.name))
        .filter(|method| method.name != "__construct" || case.values.rng.chance(30))
        .collect();
    if allowed.is_empty() {
        return plain(case);
    }
    let method = allowed[case.values.rng.below(allowed.len())];
    let values = case.values.arguments(&method.parameters, 1);
    let mut before = String::new();
    let mut arguments = Vec::new();
    for (at, value) in values.into_iter().enumerate() {
        let declared = method.parameters.get(at).or(method.parameters.last());
        if declared.is_some_and(|parameter| parameter.by_reference) && !value.starts_with('$') {
            before.push_str(&format!("$b{at} = {value}; "));
            arguments.push(format!("$b{at}"));
        } else {
            arguments.push(value);
        }
    }
    let list = arguments.join(", ");
    let object = subject(case);
    let call = match (method.is_static, case.values.rng.below(12)) {
        (true, 0..=8) => format!("\\{}::{}({list})", class.name, method.name),
        (_, 0) => format!("call_user_func_array([{object}, '{}'], [{list}])", method.name),
        (_, 1) => format!("(new ReflectionMethod('{}', '{}'))->invoke({object}, {list})", class.name, method.name)
            .replace(", )", ")"),
        (_, 2) => format!("{object}?->{}(...)({list})", method.name).replace("?->", "->"),
        _ => format!("{object}->{}({list})", method.name),
    };
    format!("{before}$r = {call}; show($r);")
}

fn property(case: &mut Case, class: &Class) -> String {
    let name = match class.properties.is_empty() || case.values.rng.chance(15) {
        true => "own".to_owned(),
        false => class.properties[case.values.rng.below(class.properties.len())].clone(),
    };
    let object = subject(case);
    let value = case.values.anything(2);
    let place = format!("{object}->{name}");
    match case.values.rng.below(12) {
        0..=3 => format!("show({place});"),
        4 | 5 => format!("{place} = {value}; show({place});"),
        6 => format!("unset({place}); show({place});"),
        7 => format!("show(isset({place})); show(empty({place}));"),
        8 => format!("{place}[] = {value};"),
        9 => format!("$x = &{place}; $x = {value}; unset($x); show({place});"),
        10 => format!("++{place}; {place} .= 'x';"),
        _ => format!("$r = {place}; {object} = null; show($r);"),
    }
}

/// A function that takes objects of the class.
fn function(case: &mut Case, class: &Class) -> String {
    let takes = |function: &&Function| {
        forbidden::allows_function(&function.name)
            && function.parameters.iter().any(|parameter| parameter.types.iter().any(|kind| class.is(kind)))
    };
    let fitting: Vec<&Function> = case.values.catalogue.functions.iter().filter(takes).collect();
    if fitting.is_empty() {
        return plain(case);
    }
    let function = fitting[case.values.rng.below(fitting.len())];
    let arguments: Vec<String> = function
        .parameters
        .iter()
        .map(|parameter| match parameter.types.iter().any(|kind| class.is(kind)) {
            true => subject(case),
            false if parameter.by_reference => "$r".to_owned(),
            false => case.values.argument(parameter, 1),
        })
        .collect();
    format!("$r = \\{}({}); show($r);", function.name, arguments.join(", "))
}

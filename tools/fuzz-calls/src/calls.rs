//! Cases that call one builtin function in many ways.

use crate::case::{Case, fill};
use crate::catalogue::{Catalogue, Function};
use crate::forbidden;
use crate::values::Values;

/// Ends of a case that show what became of what was given.
const AFTER: &[&str] = &[
    "show(V);",
    "written('var_dump', V);",
    "unset(V);",
    "V = 5;",
    "gc_collect_cycles();",
    "foreach (V as $each) { show($each); }",
];

/// A case about the functions of the catalogue.
pub fn case(catalogue: &Catalogue, seed: u64) -> String {
    let mut case = Case { values: Values::new(catalogue, seed), lines: Vec::new() };
    let allowed: Vec<&Function> =
        catalogue.functions.iter().filter(|function| forbidden::allows_function(&function.name)).collect();
    if allowed.is_empty() {
        return String::new();
    }
    let function = allowed[case.values.rng.below(allowed.len())];
    let declared = 1 + case.values.rng.below(2);
    for _ in 0..declared {
        let value = case.values.anything(0);
        case.declare(&value);
    }
    let arguments = arguments(&mut case, function);
    let call = call(&mut case, function, &arguments);
    let statement = format!("$r = {call};");
    if case.values.rng.chance(75) {
        case.act(&statement);
    }
    match case.values.rng.below(10) {
        0..=5 => case.attempt(&format!("{statement} show($r);")),
        6..=7 => case.lines.push(format!(
            "for ($i = 0; $i < 3; ++$i) {{ try {{ {statement} show($r); }} catch (Throwable $e) {{ thrown($e); }} }}"
        )),
        8 => case.attempt(&format!("{call};")),
        _ => case.attempt(&format!("foreach ([1, 2, 3] as $i) {{ {statement} }} show($r);")),
    }
    if case.values.rng.chance(60) {
        case.attempt(&format!("{statement} show($r);"));
    }
    let variables = case.values.variables.clone();
    for variable in variables {
        let after = fill(case.values.of(AFTER), &[("V", &variable)]);
        case.attempt(&after);
    }
    case.finish(seed)
}

/// Arguments; what is taken by reference stands in a variable.
fn arguments(case: &mut Case, function: &Function) -> Vec<String> {
    let values = case.values.arguments(&function.parameters, 0);
    let mut arguments = Vec::new();
    for (at, value) in values.into_iter().enumerate() {
        let declared = function.parameters.get(at).or(function.parameters.last());
        let by_reference = declared.is_some_and(|parameter| parameter.by_reference);
        let is_variable = value.starts_with('$');
        if !is_variable && (by_reference || case.values.rng.chance(45)) {
            arguments.push(case.declare(&value));
        } else {
            arguments.push(value);
        }
    }
    arguments
}

fn call(case: &mut Case, function: &Function, arguments: &[String]) -> String {
    let name = &function.name;
    let list = arguments.join(", ");
    let by_reference = function.parameters.iter().any(|parameter| parameter.by_reference);
    match case.values.rng.below(24) {
        0 => format!("call_user_func_array('{name}', [{list}])"),
        1 => format!("\\{name}(...[{list}])"),
        2 => format!("(new ReflectionFunction('{name}'))->invoke({list})"),
        3 => format!("\\{name}(...)({list})"),
        4 if !by_reference => format!("array_map('{name}', ...array_map(fn ($x) => [$x, $x], [{list}]))"),
        5 => named(function, arguments),
        6 => format!("(fn (...$all) => \\{name}(...$all))({list})"),
        7 if !list.contains('$') => format!("iterator_to_array((function () {{ yield \\{name}({list}); }})())"),
        _ => format!("\\{name}({list})"),
    }
}

/// A call that names its last arguments.
fn named(function: &Function, arguments: &[String]) -> String {
    let first = arguments.len().saturating_sub(2);
    let words: Vec<String> = arguments
        .iter()
        .enumerate()
        .map(|(at, value)| match function.parameters.get(at) {
            Some(parameter) if at >= first && !parameter.variadic => format!("{}: {value}", parameter.name),
            _ => value.clone(),
        })
        .collect();
    let last_is_named = words.last().is_some_and(|word| word.contains(": ") && !word.starts_with(['\'', '"', '[']));
    match last_is_named && arguments.len() <= function.parameters.len() {
        true => format!("\\{}({})", function.name, words.join(", ")),
        false => format!("\\{}({})", function.name, arguments.join(", ")),
    }
}

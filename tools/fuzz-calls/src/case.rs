//! The common parts of cases: variables with values, and actions in the middle of calls.

use crate::values::Values;

/// What may happen in the middle of a call; `V` and `W` are variables of the case.
const ACTIONS: &[&str] = &[
    "V = null;",
    "V = [];",
    "unset(V);",
    "V[] = $given;",
    "array_pop(V);",
    "sort(V);",
    "throw new RuntimeException('in the middle');",
    "$r = null; gc_collect_cycles();",
    "V = str_repeat('z', 100);",
    "return [1];",
    "return W;",
    "foreach (V as &$each) { $each = 1; }",
    "ob_start();",
    "Fiber::suspend(1);",
    "V->own = $given;",
    "V->__construct();",
    "fclose(V);",
    "unset(V[0], V['k'], V['a']);",
    "V = clone V;",
    "V = &W;",
    "V = W;",
    "return $given;",
    "return V;",
    "array_splice(V, 0, 1);",
    "V->rewind();",
    "V->next();",
    "V = null; W = null; gc_collect_cycles();",
    "foreach (V as $each) { break; }",
    "V->a = [V];",
    "unset(V->a, V->own);",
    "array_push(V, ...range(1, 50));",
    "any(V, 7);",
    "any(V, 11, W);",
    "var_dump(W);",
    "V .= 'more';",
    "$given = null; V = $r;",
    "any($given, 5);",
    "any($given, 2, 0);",
    "set_error_handler(null);",
    "return false;",
    "return '';",
    "return -1;",
    "return new Dying;",
    "return (function () { yield 1; })();",
    "any($given, 9, $given, $given);",
    "spl_autoload_register(fn ($name) => hook($name));",
];

/// Replaces placeholders in a template by code.
pub fn fill(template: &str, places: &[(&str, &str)]) -> String {
    let is_letter = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '$';
    let mut filled = String::new();
    let mut rest = template;
    while !rest.is_empty() {
        let length = rest.find(|c| !is_letter(c)).unwrap_or(rest.len());
        let (word, after) = rest.split_at(length.max(rest.chars().next().map_or(0, char::len_utf8)));
        filled.push_str(places.iter().find(|(place, _)| *place == word).map_or(word, |(_, code)| code));
        rest = after;
    }
    filled
}

/// A case that is written line by line.
pub struct Case<'a> {
    pub values: Values<'a>,
    pub lines: Vec<String>,
}

impl Case<'_> {
    /// A line whose exceptions are shown.
    pub fn attempt(&mut self, code: &str) {
        self.lines.push(format!("try {{ {code} }} catch (Throwable $e) {{ thrown($e); }}"));
    }

    /// A new variable that holds what an expression makes.
    pub fn declare(&mut self, expression: &str) -> String {
        let name = format!("$v{}", self.values.variables.len());
        self.attempt(&format!("{name} = null; {name} = {expression};"));
        self.values.variables.push(name.clone());
        name
    }

    /// Decides what happens in the middle of calls. `again` is a statement that may be part of it.
    pub fn act(&mut self, again: &str) {
        let captured: String = self.values.variables.iter().map(|name| format!(", &{name}")).collect();
        let count = 1 + self.values.rng.below(2);
        let body: Vec<String> = (0..count)
            .map(|_| {
                if self.values.rng.chance(12) {
                    return again.to_owned();
                }
                let (first, second) = (self.values.variable(), self.values.variable());
                let action = self.values.of(ACTIONS);
                // If the case has no variables yet, an action on variables is replaced by one without.
                match first == "null" || second == "null" {
                    true if fill(action, &[("V", ""), ("W", "")]) != action => "return $given;".to_owned(),
                    _ => fill(action, &[("V", &first), ("W", &second)]),
                }
            })
            .collect();
        self.attempt(&format!("act(function ($given = null) use (&$r{captured}) {{ {} }});", body.join(" ")));
    }

    /// The whole case, as a function and a call of it.
    pub fn finish(self, number: u64) -> String {
        let body: String = self.lines.iter().map(|line| format!("    {line}\n")).collect();
        format!("between({number});\n(function () {{\n    $r = null;\n{body}    act(null);\n}})();\n")
    }
}

//! Random numbers for programs.

use phlox_t3_library::random::{ISAAC, LCG, MT19937};
use phlox_t3_vm::error::{self, Run, fail};
use phlox_t3_vm::value::Value;
use phlox_t3_vm::vm::{Args, Vm};

/// Bytes that nobody can foresee, from the clock and the addresses of the process.
fn entropy(vm: &Vm) -> Vec<u8> {
    use std::hash::{BuildHasher, Hasher};
    let (seconds, nanoseconds) = vm.io.now();
    let mut out = Vec::new();
    for n in 0..32u64 {
        let mut hasher = std::hash::RandomState::new().build_hasher();
        hasher.write_u64(n ^ seconds as u64 ^ u64::from(nanoseconds) << 32);
        out.extend(hasher.finish().to_le_bytes());
    }
    out
}

pub(crate) fn randomize(vm: &mut Vm, args: Args) -> Run<Value> {
    // A run with a seed stays repeatable.
    let seeded = vm.options.seed.is_some();
    match (args.count, args.get(vm, 0)) {
        (0, _) => {
            vm.state.random.which = ISAAC;
            if !seeded {
                let seed = entropy(vm);
                vm.state.random.seed(ISAAC, &seed);
            }
        }
        (1, Value::Nil) => {
            let state: String = vm.state.random.state().into_iter().map(|byte| byte as char).collect();
            let which = Value::Int(vm.state.random.which);
            let state = vm.heap.new_text(state);
            return Ok(vm.heap.new_list(vec![which, state]));
        }
        (_, Value::Int(which)) => {
            if ![ISAAC, LCG, MT19937].contains(&which) {
                return fail(error::BAD_VAL_BIF);
            }
            vm.state.random.which = which;
            let seed = args.get(vm, 1);
            match (args.count, seed) {
                (1, _) => {}
                (_, Value::Nil) if seeded => {}
                (_, Value::Nil) => {
                    let seed = entropy(vm);
                    vm.state.random.seed(which, &seed);
                }
                (_, Value::Int(number)) => vm.state.random.seed_number(which, number as u32),
                (_, value) => {
                    let text = vm.want_text(value)?;
                    vm.state.random.seed(which, text.as_bytes());
                }
            }
        }
        (1, value) => {
            let Some(items) = vm.list_like(value)? else { return fail(error::BAD_TYPE_BIF) };
            let [Value::Int(which), state] = items[..] else { return fail(error::BAD_VAL_BIF) };
            let bytes: Vec<u8> = vm.want_text(state)?.chars().map(|c| c as u8).collect();
            vm.state.random.set_state(which, &bytes);
        }
        _ => return fail(error::BAD_TYPE_BIF),
    }
    Ok(Value::Nil)
}

pub(crate) fn rand(vm: &mut Vm, args: Args) -> Run<Value> {
    let first = args.get(vm, 0);
    match (args.count, first) {
        (0, _) => Ok(Value::Int(vm.state.random.next() as i32)),
        (1, Value::Int(range)) => {
            let range = range.unsigned_abs();
            Ok(Value::Int(vm.state.random.below(range) as i32))
        }
        (1, _) => {
            if let Some(items) = vm.list_like(first)? {
                let at = vm.state.random.below(items.len() as u32) as usize;
                return Ok(items.get(at).copied().unwrap_or_default());
            }
            match vm.heap.text(first).cloned() {
                Some(template) => {
                    let text = from_template(vm, &template);
                    Ok(vm.heap.new_text(text))
                }
                None => fail(error::BAD_TYPE_BIF),
            }
        }
        (count, _) => {
            let at = vm.state.random.below(count as u32) as usize;
            Ok(args.get(vm, at))
        }
    }
}

/// Letters of a template and the ranges that they choose from.
const CLASSES: &[(char, &[(char, char)])] = &[
    ('i', &[(' ', '~')]),
    ('l', &[(' ', '~'), ('\u{a0}', '\u{ff}')]),
    ('u', &[(' ', '\u{7f}'), ('\u{a0}', '\u{d7ff}'), ('\u{f900}', '\u{fffd}')]),
    ('d', &[('0', '9')]),
    ('X', &[('0', '9'), ('A', 'F')]),
    ('x', &[('0', '9'), ('a', 'f')]),
    ('A', &[('A', 'Z')]),
    ('a', &[('a', 'z')]),
    ('b', &[('\0', '\u{ff}')]),
    ('c', &[('a', 'z'), ('A', 'Z')]),
    ('z', &[('0', '9'), ('a', 'z'), ('A', 'Z')]),
];

/// One element of a template.
struct Part {
    ranges: Vec<(char, char)>,
    literal: Option<String>,
    min: u32,
    max: u32,
}

fn from_template(vm: &mut Vm, template: &str) -> String {
    let mut out = String::new();
    for part in parse(template) {
        let count =
            if part.max > part.min { part.min + vm.state.random.below(part.max - part.min + 1) } else { part.min };
        for _ in 0..count.min(65_535) {
            match &part.literal {
                Some(text) => out.push_str(text),
                None => out.extend(pick(vm, &part.ranges)),
            }
        }
    }
    out
}

fn pick(vm: &mut Vm, ranges: &[(char, char)]) -> Option<char> {
    let size = |(low, high): &(char, char)| *high as u32 - *low as u32 + 1;
    let total = ranges.iter().map(size).sum();
    let mut at = vm.state.random.below(total);
    for range in ranges {
        if at < size(range) {
            return char::from_u32(range.0 as u32 + at);
        }
        at -= size(range);
    }
    None
}

fn parse(template: &str) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut chars = template.chars().peekable();
    while let Some(c) = chars.next() {
        let mut part = Part { ranges: Vec::new(), literal: None, min: 1, max: 1 };
        match c {
            '"' => part.literal = Some(chars.by_ref().take_while(|c| *c != '"').collect()),
            '%' => part.literal = chars.next().map(String::from),
            '[' => {
                let body: Vec<char> = chars.by_ref().take_while(|c| *c != ']').collect();
                let mut at = 0;
                while let Some(low) = body.get(at).copied() {
                    match (body.get(at + 1), body.get(at + 2)) {
                        (Some('-'), Some(high)) => {
                            part.ranges.push((low.min(*high), low.max(*high)));
                            at += 3;
                        }
                        _ => {
                            part.ranges.push((low, low));
                            at += 1;
                        }
                    }
                }
            }
            c => match CLASSES.iter().find(|row| row.0 == c) {
                Some((_, ranges)) => part.ranges = ranges.to_vec(),
                None => part.literal = Some(c.to_string()),
            },
        }
        if chars.peek() == Some(&'{') {
            chars.next();
            let bounds: String = chars.by_ref().take_while(|c| *c != '}').collect();
            let (min, max) = bounds.split_once(',').unwrap_or((&bounds, &bounds));
            part.min = min.trim().parse().unwrap_or(1);
            part.max = max.trim().parse().unwrap_or(part.min);
        }
        parts.push(part);
    }
    parts
}

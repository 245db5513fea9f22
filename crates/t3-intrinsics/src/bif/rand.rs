//! Random numbers for programs.

use phlox_t3_library::random::{ISAAC, LCG, MT19937};
use phlox_t3_library::random_text::generate;
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
                    let text = vm.text_arg(value)?;
                    vm.state.random.seed(which, text.as_bytes());
                }
            }
        }
        (1, value) => {
            let Some(items) = vm.list_like(value)? else { return fail(error::WRONG_NUM_OF_ARGS) };
            let [Value::Int(which), state] = items[..] else { return fail(error::BAD_VAL_BIF) };
            let bytes: Vec<u8> = vm.want_text(state)?.chars().map(|c| c as u8).collect();
            vm.state.random.set_state(which, &bytes);
        }
        _ => return fail(error::WRONG_NUM_OF_ARGS),
    }
    Ok(Value::Nil)
}

pub(crate) fn rand(vm: &mut Vm, args: Args) -> Run<Value> {
    let first = args.get(vm, 0);
    match (args.count, first) {
        (0, _) => Ok(Value::Int(vm.state.random.next() as i32)),
        (1, Value::Int(range)) => {
            // A negative range is one of nearly 32 bits.
            Ok(Value::Int(vm.state.random.below(range as u32) as i32))
        }
        (count, _) => {
            if count == 1
                && let Some(items) = vm.list_like(first)?
            {
                let at = vm.state.random.below(items.len() as u32) as usize;
                return Ok(items.get(at).copied().unwrap_or_default());
            }
            if count == 1
                && let Some(template) = vm.heap.text(first).cloned()
            {
                let limit = vm.options.max_length;
                let random = &mut vm.state.random;
                return match generate(&template, limit, &mut || random.next()) {
                    Ok(text) => Ok(vm.heap.new_text(text)),
                    Err(_) => fail(error::BAD_VAL_BIF),
                };
            }
            let at = vm.state.random.below(count as u32) as usize;
            Ok(args.get(vm, at))
        }
    }
}

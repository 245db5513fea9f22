//! Units built to make the verifier, the decoder or the texts expensive. Each must be answered quickly.

use phlox_hhbc::verify::{Rule, check};
use phlox_hhbc::*;

fn unit(code: Vec<Instr>) -> Func {
    Func {
        max_stack: u32::MAX,
        locals: vec![None],
        num_iters: 1 << 16,
        body: Body { code, ..Body::default() }.into(),
        ..Func::default()
    }
}

fn rule_broken(func: Func) -> Option<Rule> {
    let unit = Unit { strings: [b""].into_iter().collect(), funcs: vec![func], ..Unit::default() };
    check(&unit).err().map(|error| error.rule)
}

const READ: Instr = Instr::CGetL { local: LocalId(0) };

/// Many branches that each consume the same thousands of values.
#[test]
fn shared_operands_are_bounded() {
    let (values, branches) = (4000, 4000);
    let mut code = vec![Instr::Null {}; values as usize];
    let first = values + 2 * branches + 2;
    for branch in 0..branches {
        code.extend([READ, Instr::JmpZ { target: Target(first + 2 * branch) }]);
    }
    for _ in 0..=branches {
        code.extend([Instr::NewTuple { count: values }, Instr::RetC {}]);
    }
    assert_eq!(rule_broken(unit(code)), Some(Rule::X13));
}

/// Many switches that share one huge table.
#[test]
fn shared_switch_tables_are_bounded() {
    let switches = 3000;
    let mut code = Vec::new();
    for _ in 0..switches {
        code.extend([READ, Instr::Switch { table: SwitchId(0) }]);
    }
    let end = Target(code.len() as u32);
    code.extend([Instr::Null {}, Instr::RetC {}]);
    let table = SwitchTable::Int { cases: (0..100_000).map(|case| (case, end)).collect(), default: end };
    let mut func = unit(code);
    func.switches.push(table);
    assert_eq!(rule_broken(func), Some(Rule::X13));
}

/// Thousands of iterators in use at once.
#[test]
fn nested_iterators_are_bounded() {
    let depth = 20_000;
    let mut code = Vec::new();
    let end = 2 * depth;
    for iter in 0..depth {
        code.extend([
            READ,
            Instr::IterInit { iter: IterId(iter as u16), target: Target(2 * iter + 2), value: LocalId(0) },
        ]);
    }
    code.extend([Instr::Null {}, Instr::RetC {}]);
    let mut func = unit(code);
    func.eh.push(EhEntry { start: Target(0), end: Target(end), kind: EhKind::Fault(Target(end + 2)) });
    func.funclets.push(Target(end + 2));
    for iter in 0..depth {
        func.code.push(Instr::IterFree { iter: IterId(iter as u16) });
    }
    func.code.push(Instr::Unwind {});
    assert!(rule_broken(func).is_some());
}

/// A million values deep, and a million rows of nested protected regions.
#[test]
fn depth_needs_no_native_stack() {
    let depth = 1_000_000;
    let mut code = vec![Instr::Null {}; depth];
    code.extend(vec![Instr::PopC {}; depth - 1]);
    code.push(Instr::RetC {});
    assert_eq!(rule_broken(unit(code)), None);

    let rows = 100_000;
    let mut code = vec![Instr::Nop {}; 2 * rows];
    code.extend([Instr::Null {}, Instr::RetC {}, Instr::Catch {}, Instr::RetC {}]);
    let handler = Target(2 * rows as u32 + 2);
    let mut func = unit(code);
    for row in (0..rows as u32).rev() {
        let kind = EhKind::Catch(vec![(StrId(0), handler)]);
        func.eh.push(EhEntry { start: Target(row), end: Target(2 * rows as u32 - row), kind });
    }
    assert_eq!(rule_broken(func), None);
}

/// A list that claims more items than there are bytes must not be believed.
#[test]
fn claimed_lengths_allocate_nothing() {
    let unit = Unit { funcs: vec![unit(vec![Instr::Null {}, Instr::RetC {}])], ..Unit::default() };
    let good = encode(&unit).unwrap();
    for position in 14..good.len() {
        let mut bytes = good.clone();
        bytes.splice(position..position + 1, [0xff, 0xff, 0xff, 0xff, 0x0f]);
        let sum = bytes[14..]
            .iter()
            .fold(0xcbf2_9ce4_8422_2325_u64, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
        bytes[6..14].copy_from_slice(&sum.to_le_bytes());
        let _ = decode(&bytes);
    }
}

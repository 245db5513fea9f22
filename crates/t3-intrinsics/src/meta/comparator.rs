//! string-comparator: how words typed match words known, by case, truncation and equivalent spellings.

use phlox_t3_library::comparator::{Comparator, Mapping};
use phlox_t3_vm::error::{self, Run, fail};
use phlox_t3_vm::meta::Meta;
use phlox_t3_vm::methods;
use phlox_t3_vm::objects::Obj;
use phlox_t3_vm::value::Value;
use phlox_t3_vm::vm::{Args, Load, Loader, Method, Vm};

pub(crate) static METHODS: &[Method] = methods! {
    calcHash 1 1 => calc_hash,
    matchValues 2 2 => match_values,
};

/// `new StringComparator(truncation, caseSensitive, mappings)`.
pub(crate) fn create(vm: &mut Vm, args: Args) -> Run<Value> {
    if args.count != 3 {
        return fail(error::WRONG_NUM_OF_ARGS);
    }
    let truncation = match args.given(vm, 0) {
        Some(value) => vm.want_int(value)?.max(0) as usize,
        None => 0,
    };
    let mut mappings = Vec::new();
    if let Some(rows) = args.given(vm, 2) {
        for row in vm.list_like(rows)?.ok_or_else(|| error::error(error::BAD_TYPE_BIF))? {
            let Some(row) = vm.list_like(row)? else { return fail(error::BAD_TYPE_BIF) };
            let at = |n: usize| row.get(n).copied().unwrap_or_default();
            let reference = vm.want_text(at(0))?.chars().next().unwrap_or('\0');
            let input = vm.want_text(at(1))?.chars().collect();
            let (upper, lower) = (vm.want_int(at(2))?, vm.want_int(at(3))?);
            mappings.push(Mapping { reference, input, upper_flags: upper as u32, lower_flags: lower as u32 });
        }
    }
    let comparator = Comparator::new(truncation, args.get(vm, 1) != Value::Nil, mappings);
    Ok(Value::Obj(vm.heap.alloc(Obj::Comparator(Box::new(comparator)))))
}

/// From an image or a saved game.
pub(crate) fn load(loader: &mut Loader<'_>, _: Meta) -> Load<Obj> {
    let (truncation, flags) = (loader.data.u16()?, loader.data.u16()?);
    let (count, _total) = (loader.data.u16()?, loader.data.u16()?);
    let mut mappings = Vec::new();
    for _ in 0..count {
        let reference = char::from_u32(loader.data.u16()?.into()).unwrap_or('\0');
        let length = loader.data.u8()?;
        let (upper_flags, lower_flags) = (loader.data.u32()?, loader.data.u32()?);
        let mut input = Vec::new();
        for _ in 0..length {
            input.push(char::from_u32(loader.data.u16()?.into()).unwrap_or('\0'));
        }
        mappings.push(Mapping { reference, input, upper_flags, lower_flags });
    }
    Ok(Obj::Comparator(Box::new(Comparator::new(truncation.into(), flags & 1 != 0, mappings))))
}

fn calc_hash(vm: &mut Vm, args: Args) -> Run<Value> {
    let text = vm.text_arg(args.get(vm, 0))?;
    let id = vm.want_object(args.this)?;
    Ok(Value::Int(vm.compare_hash(id, &text)? as i32))
}

fn match_values(vm: &mut Vm, args: Args) -> Run<Value> {
    let (typed, word) = (vm.text_arg(args.get(vm, 0))?, vm.text_arg(args.get(vm, 1))?);
    let id = vm.want_object(args.this)?;
    vm.compare_words(id, &typed, &word)
}

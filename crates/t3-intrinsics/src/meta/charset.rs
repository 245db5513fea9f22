//! character-set: text to bytes and back.

use phlox_t3_library::charset::CharacterSet;
use phlox_t3_vm::error::{self, Run, fail};
use phlox_t3_vm::meta::Meta;
use phlox_t3_vm::methods;
use phlox_t3_vm::objects::Obj;
use phlox_t3_vm::text::Text;
use phlox_t3_vm::value::Value;
use phlox_t3_vm::vm::{Args, Load, Loader, Method, Vm};

pub(crate) static METHODS: &[Method] = methods! {
    getName 0 0 => get_name,
    isMappingKnown 0 0 => is_mapping_known,
    isMappable 1 1 => is_mappable,
    isRoundTripMappable 1 1 => is_round_trip_mappable,
};

/// `new CharacterSet(name)`.
pub(crate) fn create(vm: &mut Vm, args: Args) -> Run<Value> {
    if args.count != 1 {
        return fail(error::WRONG_NUM_OF_ARGS);
    }
    let name = vm.text_arg(args.get(vm, 0))?;
    Ok(Value::Obj(vm.heap.alloc(Obj::CharSet(Box::new(CharacterSet::new(&name))))))
}

/// From an image or a saved game: the name.
pub(crate) fn load(loader: &mut Loader<'_>, _: Meta) -> Load<Obj> {
    let name = loader.data.long_name()?;
    Ok(Obj::CharSet(Box::new(CharacterSet::new(&name))))
}

/// The set that an argument names or is, whether its table is there or not.
pub(crate) fn named(vm: &Vm, value: Value) -> Run<CharacterSet> {
    Ok(match value {
        Value::Obj(id) if matches!(vm.heap.get(id), Obj::CharSet(_)) => match vm.heap.get(id) {
            Obj::CharSet(set) => (**set).clone(),
            _ => return fail(error::BAD_TYPE_BIF),
        },
        value => CharacterSet::new(&vm.text_arg(value)?),
    })
}

/// The set that an argument names or is.
pub(crate) fn of(vm: &mut Vm, value: Value) -> Run<CharacterSet> {
    let set = named(vm, value)?;
    if !set.is_known() {
        return vm.throw_class("CharacterSet.UnknownCharSetException", error::BAD_VAL_BIF, &[]);
    }
    Ok(set)
}

fn this(vm: &Vm, args: Args) -> Run<&CharacterSet> {
    match args.this {
        Value::Obj(id) => match vm.heap.get(id) {
            Obj::CharSet(set) => Ok(set),
            _ => fail(error::OBJ_VAL_REQD),
        },
        _ => fail(error::OBJ_VAL_REQD),
    }
}

fn get_name(vm: &mut Vm, args: Args) -> Run<Value> {
    let name = Text::from(this(vm, args)?.name.as_str());
    Ok(vm.heap.new_text(name))
}

fn is_mapping_known(vm: &mut Vm, args: Args) -> Run<Value> {
    Ok(Value::truth(this(vm, args)?.is_known()))
}

fn is_mappable(vm: &mut Vm, args: Args) -> Run<Value> {
    all_of(vm, args, CharacterSet::maps)
}

fn is_round_trip_mappable(vm: &mut Vm, args: Args) -> Run<Value> {
    all_of(vm, args, CharacterSet::has)
}

fn all_of(vm: &mut Vm, args: Args, has: fn(&CharacterSet, char) -> bool) -> Run<Value> {
    let set = this(vm, args)?;
    Ok(Value::truth(match args.get(vm, 0) {
        Value::Int(code) => match u16::try_from(code).ok().and_then(|code| char::from_u32(code.into())) {
            Some(c) => has(set, c),
            None => false,
        },
        value => match vm.heap.text(value) {
            Some(text) => text.chars().all(|c| has(set, c)),
            // The reference leaves the result of the last call alone.
            None => return Ok(vm.r0),
        },
    }))
}

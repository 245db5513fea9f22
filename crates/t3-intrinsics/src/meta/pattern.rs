//! regex-pattern, and patterns given as strings.

use phlox_t3_vm::error::{self, Run, fail};
use phlox_t3_vm::meta::Meta;
use phlox_t3_vm::methods;
use phlox_t3_vm::objects::Obj;
use phlox_t3_vm::objects::pattern::Pattern;
use phlox_t3_vm::value::Value;
use phlox_t3_vm::vm::{Args, Load, Loader, Method, Vm};

pub(crate) static METHODS: &[Method] = methods! {
    getPatternString 0 0 => pattern_string,
};

/// `new RexPattern(source)`.
pub(crate) fn create(vm: &mut Vm, args: Args) -> Run<Value> {
    if args.count != 1 {
        return fail(error::WRONG_NUM_OF_ARGS);
    }
    let source = args.get(vm, 0);
    let text = vm.want_text(source)?;
    let regex = vm.compiled(&text);
    Ok(Value::Obj(vm.heap.alloc(Obj::Pattern(Box::new(Pattern { source, regex })))))
}

/// From an image: the source string.
pub(crate) fn load(loader: &mut Loader<'_>, _: Meta) -> Load<Obj> {
    let source = loader.value()?;
    let text = loader.vm.heap.text(source).cloned();
    let regex = text.and_then(|text| loader.vm.compiled(&text));
    Ok(Obj::Pattern(Box::new(Pattern { source, regex })))
}

fn pattern_string(vm: &mut Vm, args: Args) -> Run<Value> {
    let id = vm.want_object(args.this)?;
    match vm.heap.get(id) {
        Obj::Pattern(pattern) => Ok(pattern.source),
        _ => fail(error::OBJ_VAL_REQD),
    }
}

//! dynamic-func: functions compiled while the program runs.

use std::rc::Rc;

use super::{Method, methods};
use crate::call::Args;
use crate::code::DYNAMIC;
use crate::compile::{self, Extent};
use crate::error::{self, Run, fail};
use crate::load::{Load, Loader};
use crate::objects::Obj;
use crate::value::{ObjId, Value};
use crate::vm::Vm;

pub(crate) static METHODS: &[Method] = methods! {
    getSource 0 0 => get_source,
};

/// A compiled function.
#[derive(Debug, Clone)]
pub struct DynamicFunc {
    /// The source text.
    pub source: Value,
    /// The function's index.
    pub function: u32,
    /// Objects that its code refers to.
    pub literals: Vec<Value>,
    /// Where its code is.
    pub extent: Extent,
}

/// `new DynamicFunc(source, symbols?, locals?, macros?)`.
pub(crate) fn create(vm: &mut Vm, args: Args) -> Run<Value> {
    if args.count == 0 || args.count > 4 {
        return fail(error::WRONG_NUM_OF_ARGS);
    }
    let source = args.get(vm, 0);
    let text = vm.want_text(source)?;
    let rooted = vm.rooted.len();
    let compiled = compile::compile(vm, &text, [args.get(vm, 1), args.get(vm, 2), args.get(vm, 3)])?;
    match compiled {
        Ok((function, literals, extent)) => {
            let object = Obj::Dynamic(Box::new(DynamicFunc { source, function, literals, extent }));
            let object = Value::Obj(vm.heap.alloc(object));
            vm.rooted.truncate(rooted);
            Ok(object)
        }
        Err(message) => {
            vm.rooted.truncate(rooted);
            let message = vm.heap.new_text(message);
            vm.throw_class("DynamicFunc.CompilerException", error::BAD_DYNAMIC_NEW, &[message])
        }
    }
}

fn get_source(vm: &mut Vm, args: Args) -> Run<Value> {
    match args.this {
        Value::Obj(id) => match vm.heap.get(id) {
            Obj::Dynamic(function) => Ok(function.source),
            _ => fail(error::OBJ_VAL_REQD),
        },
        _ => fail(error::OBJ_VAL_REQD),
    }
}

// ---- saved games

/// Marks, at the end of the saved code, a list of the places where it refers to its own functions. The reference, for
/// which inner functions are objects, does not look there.
const MARK: [u8; 2] = *b"PX";

impl DynamicFunc {
    /// The lengths of code and references, the code with addresses from its own start, and the references.
    pub(crate) fn saved_code(&self, dynamic: &[u8]) -> (Vec<u8>, &[usize]) {
        let Extent { start, length, .. } = self.extent;
        let mut code = dynamic.get(start..start + length).unwrap_or_default().to_vec();
        for at in &self.extent.functions {
            if let Some(place) = code.get_mut(*at..at + 4) {
                let address = u32::from_le_bytes([place[0], place[1], place[2], place[3]]);
                place.copy_from_slice(&address.wrapping_sub(start as u32).to_le_bytes());
            }
        }
        if !self.extent.functions.is_empty() {
            self.extent.functions.iter().for_each(|at| code.extend((*at as u16).to_le_bytes()));
            code.extend((self.extent.functions.len() as u16).to_le_bytes());
            code.extend((start as u32).to_le_bytes());
            code.extend(MARK);
        }
        (code, &self.extent.objects)
    }
}

/// From a saved game.
pub(crate) fn read_saved(loader: &mut Loader<'_>) -> Load<Obj> {
    let (length, count) = (usize::from(loader.data.u16()?), loader.data.u16()?);
    let _context = loader.value()?;
    let source = loader.value()?;
    let mut code = loader.data.bytes(length)?.to_vec();
    let mut extent = Extent { start: loader.vm.code.dynamic.len(), ..Extent::default() };
    let mut literals = Vec::new();
    for _ in 0..count {
        let at = usize::from(loader.data.u16()?);
        let Some(place) = code.get_mut(at..at + 4) else {
            return Err(loader.data.error("a reference is not in the code"));
        };
        let old: ObjId = u32::from_le_bytes([place[0], place[1], place[2], place[3]]);
        let new = loader.translated(old);
        place.copy_from_slice(&new.to_le_bytes());
        literals.push(Value::object(new));
        extent.objects.push(at);
    }
    let before = own_references(&mut code, &mut extent);
    if let Some(before) = before {
        loader.vm.code.moved.push((before, code.len() as u32, extent.start as u32));
    }
    extent.length = code.len();
    loader.vm.code.literals.extend(&literals);
    Rc::make_mut(&mut loader.vm.code.dynamic).extend(&code);
    let function = loader.vm.heap.function(extent.start as u32 | DYNAMIC);
    Ok(Obj::Dynamic(Box::new(DynamicFunc { source, function, literals, extent })))
}

/// Takes the list of references to own functions off the code and puts their new addresses in; where the code was.
fn own_references(code: &mut Vec<u8>, extent: &mut Extent) -> Option<u32> {
    let list_end = code.strip_suffix(&MARK)?.len().checked_sub(6)?;
    let tail = &code[list_end..];
    let count = usize::from(u16::from_le_bytes([tail[0], tail[1]]));
    let before = u32::from_le_bytes([tail[2], tail[3], tail[4], tail[5]]);
    let list_start = list_end.checked_sub(2 * count)?;
    let places = code[list_start..list_end].chunks_exact(2);
    extent.functions = places.map(|pair| usize::from(u16::from_le_bytes([pair[0], pair[1]]))).collect();
    code.truncate(list_start);
    for at in &extent.functions {
        if let Some(place) = code.get_mut(*at..at + 4) {
            let address = u32::from_le_bytes([place[0], place[1], place[2], place[3]]);
            place.copy_from_slice(&address.wrapping_add(extent.start as u32).to_le_bytes());
        }
    }
    Some(before)
}

impl Vm {
    /// Functions that restored objects name by their addresses of old are found at their new ones.
    pub(crate) fn move_restored_functions(&mut self) {
        let moved = std::mem::take(&mut self.code.moved);
        if moved.is_empty() {
            return;
        }
        for id in 1..self.heap.slots.len() as ObjId {
            let Obj::AnonFn(items) = self.heap.get(id) else { continue };
            let Some(Value::Func(function)) = items.first() else { continue };
            let Some(address) = self.heap.functions.get(*function as usize).copied() else { continue };
            let place = address & !DYNAMIC;
            let found = moved.iter().find(|row| address & DYNAMIC != 0 && (row.0..row.0 + row.1).contains(&place));
            if let Some((before, _, now)) = found {
                let function = self.heap.function((place - before + now) | DYNAMIC);
                if let Some(Obj::AnonFn(items)) = self.heap.get_mut(id) {
                    items[0] = Value::Func(function);
                }
            }
        }
    }
}

//! Functions compiled while the program runs, in saved games.

use std::rc::Rc;

use crate::code::DYNAMIC;
use crate::objects::Obj;
use crate::objects::dynamic::{DynamicFunc, Extent, MARK};
use crate::value::{ObjId, Value};
use crate::vm::{Load, Loader, Vm};

/// From a saved game.
pub fn read_saved(loader: &mut Loader<'_>) -> Load<Obj> {
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
pub fn own_references(code: &mut Vec<u8>, extent: &mut Extent) -> Option<u32> {
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
    pub fn move_restored_functions(&mut self) {
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

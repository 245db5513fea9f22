//! The output of `var_export`: PHP code that creates the value.

use super::{DEPTH_MAX, pad, too_deep};
use crate::class::{ObjExt, Purpose};
use crate::convert::{mangled_name, object_properties, property_name, unmangle_name};
use crate::error::PhpResult;
use crate::iteration;
use crate::number::double_to_literal;
use crate::props::{self, Access, ReadMode};
use crate::vm::Vm;
use phlox_value::{Key, PhpArr, PhpObj, Val, View};

/// The code that `var_export` shows for a value.
pub fn var_export(vm: &Vm, value: &Val) -> PhpResult<Vec<u8>> {
    let mut exporter = Exporter { vm, out: Vec::new(), precision: vm.ini.get(&crate::settings::SERIALIZE_PRECISION) };
    exporter.value(value, 0)?;
    Ok(exporter.out)
}

struct Exporter<'a> {
    vm: &'a Vm,
    out: Vec<u8>,
    precision: i64,
}

impl Exporter<'_> {
    fn text(&mut self, text: &str) {
        self.out.extend_from_slice(text.as_bytes());
    }

    fn value(&mut self, value: &Val, depth: u32) -> PhpResult<()> {
        match value.view() {
            View::Ref(r) => return self.value(&r.get(), depth),
            View::Bool(b) => self.text(if b { "true" } else { "false" }),
            // The literal of the smallest integer would be read as a float.
            View::Int(i64::MIN) => self.text("-9223372036854775807-1"),
            View::Int(i) => self.text(&i.to_string()),
            View::Double(d) => self.out.extend_from_slice(&double_to_literal(d, self.precision)),
            View::Str(s) => self.string(s),
            View::Arr(array) => return self.array(array, depth),
            View::Obj(object) => return self.object(object, depth),
            View::Undef | View::Null | View::Res(_) | View::Class(_) => self.text("NULL"),
        }
        Ok(())
    }

    /// Writes a single-quoted string; NUL bytes are concatenated as `"\0"`.
    fn string(&mut self, bytes: &[u8]) {
        self.out.push(b'\'');
        for &byte in bytes {
            match byte {
                b'\'' | b'\\' => self.out.extend_from_slice(&[b'\\', byte]),
                0 => self.text("' . \"\\0\" . '"),
                _ => self.out.push(byte),
            }
        }
        self.out.push(b'\'');
    }

    fn circular(&mut self) -> PhpResult<()> {
        self.text("NULL");
        self.vm.warning(b"var_export does not handle circular references")
    }

    /// Starts a new line for a nested structure.
    fn break_line(&mut self, depth: u32) {
        if depth > 0 {
            self.out.push(b'\n');
            pad(&mut self.out, depth as usize * 2);
        }
    }

    fn array(&mut self, array: &PhpArr, depth: u32) -> PhpResult<()> {
        if !array.protect() {
            return self.circular();
        }
        self.break_line(depth);
        self.text("array (\n");
        let result = self.elements(array, depth);
        array.unprotect();
        result?;
        pad(&mut self.out, depth as usize * 2);
        self.text(")");
        Ok(())
    }

    fn elements(&mut self, array: &PhpArr, depth: u32) -> PhpResult<()> {
        if depth > DEPTH_MAX {
            return Err(too_deep(self.vm));
        }
        for (key, value) in array.iter() {
            pad(&mut self.out, depth as usize * 2 + 2);
            self.key(key);
            self.text(" => ");
            self.value(value, depth + 1)?;
            self.text(",\n");
        }
        Ok(())
    }

    fn key(&mut self, key: Key<'_>) {
        match key {
            Key::Int(i) => self.text(&i.to_string()),
            Key::Str(s) => self.string(s),
        }
    }

    fn object(&mut self, object: &PhpObj, depth: u32) -> PhpResult<()> {
        if !object.protect() {
            return self.circular();
        }
        let result = self.object_body(object, depth);
        object.unprotect();
        result
    }

    fn object_body(&mut self, object: &PhpObj, depth: u32) -> PhpResult<()> {
        if depth > DEPTH_MAX {
            return Err(too_deep(self.vm));
        }
        let table = match object.class().native.properties {
            Some(hook) => hook(self.vm, object, Purpose::VarExport)?,
            None => None,
        };
        let table = match table {
            Some(table) => table,
            None => exported_properties(self.vm, &crate::lazy::real(self.vm, object)?)?,
        };
        self.break_line(depth);
        let name = object.class_name();
        if object.class().is_enum() {
            let case = crate::enums::case_name(object);
            self.out.extend_from_slice(&[b"\\", &name[..], b"::", &case].concat());
            return Ok(());
        }
        let plain = name.as_bytes() == b"stdClass";
        if plain {
            self.text("(object) array(\n");
        } else {
            self.out.extend_from_slice(&[b"\\", &name[..], b"::__set_state(array(\n"].concat());
        }
        for (key, value) in table.iter() {
            pad(&mut self.out, depth as usize * 2 + 3);
            match key {
                Key::Int(i) => self.text(&i.to_string()),
                Key::Str(s) => self.string(unmangle_name(s).1),
            }
            self.text(" => ");
            self.value(value, depth + 1)?;
            self.text(",\n");
        }
        pad(&mut self.out, depth as usize * 2);
        self.text(if plain { ")" } else { "))" });
        Ok(())
    }
}

/// The properties of an object by their mangled names; get hooks are called for their values.
fn exported_properties(vm: &Vm, object: &PhpObj) -> PhpResult<PhpArr> {
    if !iteration::has_hooks(object.class()) {
        return Ok(object_properties(object));
    }
    object.class().native.refresh(object);
    let mut table = PhpArr::new();
    for info in iteration::readable_in_order(object.class()) {
        let value = match &info.get_hook {
            Some(_) => {
                let access = Access { scope: Some(info.declarer()), strict: false };
                props::read(vm, object, &info.name, access, ReadMode::Warn)?
            }
            None if info.has_hooks() => object.slots()[info.slot].get().or_null(),
            None => object.slots()[info.slot].get(),
        };
        if !value.is_undef() {
            table.insert(Key::Str(&mangled_name(&info)), value);
        }
    }
    if let Some(dynamic) = object.dynamic() {
        for (key, value) in dynamic.iter() {
            table.insert(Key::Str(&property_name(key)), value.clone());
        }
    }
    Ok(table)
}

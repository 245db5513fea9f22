//! The output of `var_dump` and `debug_zval_dump`.

use super::{DEPTH_MAX, Shown, debug_properties, pad, too_deep};
use crate::class::ObjExt;
use crate::convert::{printable_name, unmangle_name};
use crate::error::PhpResult;
use crate::number::double_to_string;
use crate::vm::Vm;
use phlox_value::{ArrKey, PhpArr, PhpObj, Val, View};

/// Writes a value like `var_dump`.
pub fn var_dump(vm: &Vm, value: &Val) -> PhpResult<()> {
    dump(vm, value, false, 0)
}

/// Writes a value with reference counts, like `debug_zval_dump`. `own` is how many references the engine itself holds.
pub fn debug_zval(vm: &Vm, value: &Val, own: u32) -> PhpResult<()> {
    dump(vm, value, true, own)
}

fn dump(vm: &Vm, value: &Val, counts: bool, own: u32) -> PhpResult<()> {
    let mut dumper = Dumper {
        vm,
        out: Vec::new(),
        precision: vm.ini.get(&crate::settings::SERIALIZE_PRECISION),
        counts,
        own,
        held: 0,
    };
    let result = dumper.value(value, 0);
    dumper.flush();
    result
}

struct Dumper<'a> {
    vm: &'a Vm,
    /// Output that is not echoed yet.
    out: Vec<u8>,
    precision: i64,
    counts: bool,
    /// Number of references to the next value that the dump itself holds.
    own: u32,
    /// Number of handles of the next reference that the dump itself holds: properties are dumped from a copy.
    held: u32,
}

/// Output is echoed in pieces of this size, so that the text of a large structure is never held as a whole.
const FLUSH_AT: usize = 1 << 16;

impl Dumper<'_> {
    fn flush(&mut self) {
        self.vm.echo(&self.out);
        self.out.clear();
    }

    fn text(&mut self, text: &str) {
        self.out.extend_from_slice(text.as_bytes());
    }

    /// Writes a value and a line end; `depth` is the nesting level.
    fn value(&mut self, value: &Val, depth: u32) -> PhpResult<()> {
        if self.out.len() > FLUSH_AT {
            self.flush();
        }
        pad(&mut self.out, depth as usize * 2);
        let held = std::mem::take(&mut self.held);
        let Some(reference) = value.as_ref() else { return self.plain(value, depth) };
        let inner = reference.get();
        if self.counts {
            self.text(&format!("reference refcount({}) {{\n", reference.refcount()));
            // The copy of the value in `inner` counts as one more reference.
            self.own = 1;
            self.value(&inner, depth + 1)?;
            return self.close(depth);
        }
        // A recursive value is not marked as a reference.
        let recursive = inner.as_arr().is_some_and(PhpArr::is_protected)
            || inner.as_obj().is_some_and(|object| object.is_protected() && !object.class().is_enum());
        if reference.refcount() > 1 + held && !recursive {
            self.out.push(b'&');
        }
        self.plain(&inner, depth)
    }

    fn plain(&mut self, value: &Val, depth: u32) -> PhpResult<()> {
        let count = value.refcount() - std::mem::take(&mut self.own).min(value.refcount() - 1);
        match value.view() {
            View::Undef | View::Null | View::Class(_) | View::Ref(_) => self.text("NULL\n"),
            View::Bool(b) => self.text(if b { "bool(true)\n" } else { "bool(false)\n" }),
            View::Int(i) => self.text(&format!("int({i})\n")),
            View::Double(d) => {
                let digits = double_to_string(d, self.precision);
                self.out.extend_from_slice(&[b"float(", &digits[..], b")\n"].concat());
            }
            View::Str(s) => {
                self.text(&format!("string({}) \"", s.len()));
                self.out.extend_from_slice(s);
                self.out.push(b'"');
                if self.counts {
                    self.text(&if s.is_interned() { " interned".into() } else { format!(" refcount({count})") });
                }
                self.out.push(b'\n');
            }
            View::Arr(array) => return self.array(array, count, depth),
            View::Obj(object) => return self.object(object, count, depth),
            View::Res(r) => {
                self.text(&format!("resource({}) of type ({})", r.id(), r.kind()));
                if self.counts {
                    self.text(&format!(" refcount({count})"));
                }
                self.out.push(b'\n');
            }
        }
        Ok(())
    }

    fn close(&mut self, depth: u32) -> PhpResult<()> {
        pad(&mut self.out, depth as usize * 2);
        self.text("}\n");
        Ok(())
    }

    fn array(&mut self, array: &PhpArr, count: u32, depth: u32) -> PhpResult<()> {
        if !array.protect() {
            self.text("*RECURSION*\n");
            return Ok(());
        }
        self.text(&format!("array({})", array.len()));
        if self.counts {
            let packed = if array.is_packed() && !array.is_empty() { " packed" } else { "" };
            self.text(&match array.is_static() {
                true => format!("{packed} interned "),
                false => format!("{packed} refcount({count})"),
            });
        } else {
            self.out.push(b' ');
        }
        self.text("{\n");
        let result = self.elements(array, depth);
        array.unprotect();
        result?;
        self.close(depth)
    }

    fn elements(&mut self, array: &PhpArr, depth: u32) -> PhpResult<()> {
        if depth > DEPTH_MAX {
            return Err(too_deep(self.vm));
        }
        for (key, element) in array.iter() {
            self.key(&key.to_owned(), depth);
            self.value(element, depth + 1)?;
        }
        Ok(())
    }

    fn key(&mut self, key: &ArrKey, depth: u32) {
        pad(&mut self.out, depth as usize * 2 + 2);
        match key {
            ArrKey::Int(i) => self.text(&format!("[{i}]=>\n")),
            ArrKey::Str(s) => self.out.extend_from_slice(&[b"[\"", &s[..], b"\"]=>\n"].concat()),
        }
    }

    fn object(&mut self, object: &PhpObj, count: u32, depth: u32) -> PhpResult<()> {
        if object.class().is_enum() && !self.counts {
            let name = crate::enums::case_name(object);
            self.out.extend_from_slice(&[b"enum(", &object.class_name()[..], b"::", &name, b")\n"].concat());
            return Ok(());
        }
        if !object.protect() {
            self.text("*RECURSION*\n");
            return Ok(());
        }
        // `__debugInfo` may write output itself, which must come after what was dumped so far.
        self.flush();
        let shown = debug_properties(self.vm, object);
        let result = shown.and_then(|shown| self.object_body(object, &shown, count, depth));
        object.unprotect();
        result
    }

    fn object_body(&mut self, object: &PhpObj, shown: &[Shown], refcount: u32, depth: u32) -> PhpResult<()> {
        if depth > DEPTH_MAX {
            return Err(too_deep(self.vm));
        }
        let count = shown.iter().filter(|property| !property.value.is_undef()).count();
        self.text(crate::lazy::label(object));
        self.text("object(");
        self.out.extend_from_slice(printable_name(object.class_name()));
        self.text(&format!(")#{} ({count})", object.handle()));
        self.text(&if self.counts { format!(" refcount({refcount}){{\n") } else { " {\n".into() });
        for property in shown {
            self.property_key(&property.key, depth);
            match &property.ty {
                Some(ty) if property.value.is_undef() => {
                    pad(&mut self.out, depth as usize * 2 + 2);
                    self.out.extend_from_slice(&[b"uninitialized(", &ty.display[..], b")\n"].concat());
                }
                _ => {
                    self.held = 1;
                    self.value(&property.value, depth + 1)?;
                }
            }
        }
        self.close(depth)
    }

    fn property_key(&mut self, key: &ArrKey, depth: u32) {
        let ArrKey::Str(key) = key else { return self.key(key, depth) };
        pad(&mut self.out, depth as usize * 2 + 2);
        let (class, name) = unmangle_name(key);
        self.out.extend_from_slice(&[b"[\"", name, b"\""].concat());
        match class {
            None => {}
            Some(b"*") => self.text(":protected"),
            Some(class) => self.out.extend_from_slice(&[b":\"", printable_name(class), b"\":private"].concat()),
        }
        self.text("]=>\n");
    }
}

//! Calls of native functions, and what is known of their parameters.

use crate::error::{self, Run, fail};
use crate::meta::Meta;
use crate::objects::Obj;
use crate::state::{NativeCall, NativeCallee};
use crate::value::Value;
use crate::vm::{Args, Vm};

impl Vm {
    /// Least and further arguments of something that can be called, and whether their number is open.
    pub fn parameters_of(&mut self, callee: Value) -> Option<(i32, i32, bool)> {
        let function = match callee {
            Value::Func(function) | Value::Code(function) => function,
            Value::Obj(id) | Value::ObjX(id) => match self.heap.get(id) {
                Obj::AnonFn(items) => match items.first() {
                    Some(Value::Func(function)) => *function,
                    _ => return None,
                },
                Obj::Dynamic(function) => function.function,
                _ => return None,
            },
            Value::Builtin(set, index) | Value::BuiltinX(set, index) => {
                let row = self.sets.get(set as usize)?.functions.get(index as usize)?;
                let open = row.max == crate::natives::ANY;
                let optional = if open { 0 } else { row.max - row.min };
                return Some((row.min.into(), optional.into(), open));
            }
            _ => return None,
        };
        let offset = *self.heap.functions.get(function as usize)?;
        let size = self.image.entry.method_header_size;
        let (pool, at) = self.code.pool(&self.image, offset);
        let method = phlox_t3_image::method::Method::read(pool, at, size)?;
        Some((method.required.into(), method.optional.into(), method.varargs))
    }

    /// Calls a function of the image's n-th set; the arguments are on the stack and are gone afterwards.
    pub fn call_builtin(&mut self, set: u16, index: u16, argc: usize) -> Run<()> {
        let function = self.sets.get(set as usize).and_then(|set| set.functions.get(index as usize));
        let Some(function) = function else { return fail(error::INVALID_OPCODE) };
        if argc < function.min as usize || argc > function.max as usize {
            return fail(error::WRONG_NUM_OF_ARGS);
        }
        let sp = self.sp;
        let rooted = self.rooted.len();
        let callee = NativeCallee::Function(set, index);
        self.state.native = NativeCall { callee, this: Value::Nil, top: sp, count: argc, depth: 0 };
        let result = (function.run)(self, Args { this: Value::Nil, top: sp, count: argc });
        self.rooted.truncate(rooted);
        self.r0 = result?;
        self.sp = sp.saturating_sub(argc);
        Ok(())
    }
}

/// The name of a native function or method, for messages about its callbacks.
pub fn native_name(vm: &Vm, callee: NativeCallee) -> String {
    match callee {
        NativeCallee::Function(set, index) => {
            let set = vm.sets.get(set as usize).and_then(|set| set.functions.get(index as usize));
            set.map_or(String::new(), |function| function.name.to_owned())
        }
        NativeCallee::Method(meta, number) => {
            let row = vm.natives.class(meta);
            let method = row.methods.get(usize::from(number).wrapping_sub(1)).map_or("", |method| method.name);
            // The reference shares some of its methods, and their names.
            match (meta, method) {
                (_, "valWhich") => format!("{}.indexWhich", crate::meta::INFO[meta as usize].class_name),
                (_, "lastValWhich") => format!("{}.lastIndexWhich", crate::meta::INFO[meta as usize].class_name),
                (Meta::LookupTable, "forEachAssoc") => "List.forEachAssoc".to_owned(),
                (Meta::Dictionary, _) => format!("Dict.{method}"),
                _ => format!("{}.{method}", crate::meta::INFO[meta as usize].class_name),
            }
        }
        NativeCallee::Nothing => "function".to_owned(),
    }
}

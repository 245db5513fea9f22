//! What programs see of the stack: descriptions of frames, and the variables in them.
//!
//! A frame that a program holds a reference to is watched: when the frame ends, its values move into the reference, so
//! that functions which share its variables keep sharing them.

use crate::error::{self, Run, fail};
use crate::objects::Obj;
use crate::objects::frame::{FrameDesc, FrameRef};
use crate::objects::lookup::LookupTable;
use crate::value::{NO_OBJECT, ObjId, PropId, Value};
use crate::vm::{Load, Loader, Vm};
use phlox_t3_image::debug::{self, Place, Variable};

// ---- saved games

impl Vm {
    /// A frame's values: locals, then arguments, the first of each first.
    pub fn frame_values(&self, frame: &FrameRef) -> (usize, usize, Vec<Value>) {
        let stack;
        let values = match frame.live {
            Some(_) => {
                let start = frame.base.saturating_sub(frame.argc);
                stack = self.stack.get(start..frame.base + frame.locals).unwrap_or_default();
                stack
            }
            None => &frame.values[..],
        };
        let (arguments, locals) = values.split_at(frame.argc.min(values.len()));
        let all = locals.iter().chain(arguments.iter().rev()).copied().collect();
        (locals.len(), arguments.len(), all)
    }

    /// The parts of a frame reference in the order of a saved game: function, self, definer, target, property, invokee.
    pub fn frame_parts(frame: &FrameRef) -> (Value, Value, ObjId, ObjId, PropId, Value) {
        let target = frame.target.as_object().unwrap_or(NO_OBJECT);
        (Value::Func(frame.function), frame.this, frame.definer, target, frame.prop, frame.invokee)
    }

    /// The code offset of a description from its function's start.
    pub fn desc_offset(&self, desc: &FrameDesc) -> u16 {
        let Obj::FrameRef(frame) = self.heap.get(desc.frame) else { return 0 };
        let start = self.heap.functions.get(frame.function as usize).copied().unwrap_or_default();
        desc.at.wrapping_sub(start & !crate::code::DYNAMIC) as u16
    }
}

/// A frame reference from a saved game: a frame that has ended.
pub fn read_reference(loader: &mut Loader<'_>) -> Load<Obj> {
    let (locals, argc) = (usize::from(loader.data.u16()?), usize::from(loader.data.u16()?));
    let function = match loader.value()? {
        Value::Func(function) | Value::Code(function) => function,
        _ => u32::MAX,
    };
    let this = loader.value()?;
    let (definer, target) = (loader.object()?, loader.object()?);
    let prop = loader.data.u16()?;
    let invokee = loader.value()?;
    let mut values = loader.values(locals + argc)?;
    let mut all = values.split_off(locals.min(values.len()));
    all.reverse();
    all.extend(values);
    Ok(Obj::FrameRef(Box::new(FrameRef {
        live: None,
        function,
        this,
        target: Value::object(target),
        invokee,
        definer,
        prop,
        base: argc,
        locals,
        argc,
        values: all,
    })))
}

/// A description from a saved game. Its offset counts from the function's start until [`Vm::settle_descriptions`].
pub fn read_description(loader: &mut Loader<'_>) -> Load<Obj> {
    let frame = loader.object()?;
    let _block = loader.data.u16()?;
    let at = loader.data.u16()?.into();
    Ok(Obj::FrameDesc(Box::new(FrameDesc { frame, at })))
}

impl Vm {
    /// Descriptions that were just restored get their code offsets, now that their frames are known.
    pub fn settle_descriptions(&mut self, restored: &[ObjId]) {
        for id in restored {
            let Obj::FrameDesc(desc) = self.heap.get(*id) else { continue };
            let Obj::FrameRef(frame) = self.heap.get(desc.frame) else { continue };
            let start = self.heap.functions.get(frame.function as usize).copied().unwrap_or_default();
            if let Some(Obj::FrameDesc(desc)) = self.heap.get_mut(*id) {
                desc.at = desc.at.wrapping_add(start & !crate::code::DYNAMIC);
            }
        }
    }
}

impl Vm {
    // ---- watching frames

    /// Frames from the number on have ended: what is watched among them keeps its values.
    #[cold]
    pub fn detach_frames(&mut self) {
        while let Some((number, id)) = self.watched.last().copied()
            && number >= self.frames.len()
        {
            self.watched.pop();
            if let Some(Obj::FrameRef(frame)) = self.heap.get_mut(id) {
                let start = frame.base.saturating_sub(frame.argc);
                let end = (frame.base + frame.locals).min(self.stack.len());
                frame.values = self.stack[start.min(end)..end].to_vec();
                frame.live = None;
            }
        }
        self.watch_floor = self.watched.last().map_or(0, |row| row.0 + 1);
    }

    /// The reference to a frame, made on first demand.
    pub fn frame_reference(&mut self, number: usize) -> ObjId {
        if let Some((_, id)) = self.watched.iter().find(|row| row.0 == number) {
            return *id;
        }
        let frame = self.frames[number];
        let reference = FrameRef {
            live: Some(number),
            function: frame.function,
            this: frame.this,
            target: frame.target,
            invokee: frame.invokee,
            definer: frame.definer,
            prop: frame.prop,
            base: frame.fp as usize,
            locals: self.code.functions.get(frame.function as usize).map_or(0, |function| function.locals.into()),
            argc: frame.argc as usize,
            values: Vec::new(),
        };
        let id = self.heap.alloc(Obj::FrameRef(Box::new(reference)));
        let at = self.watched.partition_point(|row| row.0 < number);
        self.watched.insert(at, (number, id));
        self.watch_floor = self.watched.last().map_or(0, |row| row.0 + 1);
        id
    }

    /// Frames whose references nobody holds any more are not watched.
    pub fn forget_dead_frames(&mut self, is_live: impl Fn(ObjId) -> bool) {
        self.watched.retain(|row| is_live(row.1));
        self.watch_floor = self.watched.last().map_or(0, |row| row.0 + 1);
    }

    /// The code offset that a frame has reached.
    pub fn frame_offset(&self, number: usize) -> u32 {
        // An outer frame stands where it resumes after its call, the innermost one at its current instruction.
        match self.frames.get(number + 1) {
            Some(inner) => {
                let address = self.code.offset_of((inner.ret as usize).wrapping_sub(1));
                let function = self.frames[number].function as usize;
                let space = self.heap.functions.get(function).map_or(0, |offset| offset & crate::code::DYNAMIC);
                let (pool, at) = self.code.pool(&self.image, address | space);
                phlox_t3_image::decode::decode(pool, at).map_or(address, |call| call.next as u32)
            }
            None => self.code.offset_of(self.ip.wrapping_sub(1)),
        }
    }

    // ---- variables

    fn frame(&self, desc: Value) -> Run<(&FrameDesc, &FrameRef)> {
        if let Value::Obj(id) = desc
            && let Obj::FrameDesc(desc) = self.heap.get(id)
            && let Obj::FrameRef(frame) = self.heap.get(desc.frame)
        {
            return Ok((desc, frame));
        }
        fail(error::OBJ_VAL_REQD)
    }

    /// The variables that a description's frame has, the innermost first.
    fn frame_variables(&self, desc: Value) -> Run<Vec<Variable>> {
        let (desc, frame) = self.frame(desc)?;
        Ok(match self.heap.functions.get(frame.function as usize) {
            Some(offset) if offset & crate::code::DYNAMIC == 0 => debug::variables(&self.image, *offset, desc.at),
            Some(offset) => self.code.dynamic_variables(*offset),
            None => Vec::new(),
        })
    }

    fn slot_index(frame: &FrameRef, place: Place) -> Option<usize> {
        match place {
            Place::Local(number) | Place::Shared(number, _) => Some(frame.base + usize::from(number)),
            Place::Param(number) => frame.base.checked_sub(1 + usize::from(number)),
        }
    }

    fn read_place(&self, desc: Value, place: Place) -> Run<Value> {
        let (_, frame) = self.frame(desc)?;
        let index = Vm::slot_index(frame, place);
        let value = match frame.live {
            Some(_) => index.and_then(|at| self.stack.get(at)),
            None => index.and_then(|at| frame.values.get((at + frame.argc).checked_sub(frame.base)?)),
        };
        let value = value.copied().unwrap_or_default();
        Ok(match place {
            Place::Shared(_, element) => {
                let items = self.heap.sequence(value).unwrap_or_default();
                items.get(usize::from(element).wrapping_sub(1)).copied().unwrap_or_default()
            }
            _ => value,
        })
    }

    fn write_place(&mut self, desc: Value, place: Place, value: Value) -> Run<()> {
        if let Place::Shared(number, element) = place {
            let vector = self.read_place(desc, Place::Local(number))?;
            self.set_index(vector, Value::Int(element.into()), value)?;
            return Ok(());
        }
        let (desc, frame) = self.frame(desc)?;
        let Some(index) = Vm::slot_index(frame, place) else { return Ok(()) };
        if frame.live.is_some() {
            if let Some(slot) = self.stack.get_mut(index) {
                *slot = value;
            }
            return Ok(());
        }
        let at = (index + frame.argc).checked_sub(frame.base);
        let id = desc.frame;
        if let Some(Obj::FrameRef(frame)) = self.heap.get_mut(id)
            && let Some(slot) = at.and_then(|at| frame.values.get_mut(at))
        {
            *slot = value;
        }
        Ok(())
    }

    /// Whether a description's frame has a variable.
    pub fn frame_has(&self, desc: Value, name: &str) -> bool {
        self.frame_variables(desc).is_ok_and(|variables| variables.iter().any(|variable| variable.name == name))
    }

    fn named_place(&self, desc: Value, name: Value) -> Run<Place> {
        let name = self.want_text(name)?;
        let variables = self.frame_variables(desc)?;
        match variables.iter().find(|variable| variable.name == *name) {
            Some(variable) => Ok(variable.place),
            None => fail(error::INDEX_OUT_OF_RANGE),
        }
    }

    /// The variable with a name: `desc[name]`.
    pub fn frame_get(&self, desc: Value, name: Value) -> Run<Value> {
        let place = self.named_place(desc, name)?;
        self.read_place(desc, place)
    }

    /// Sets the variable with a name: `desc[name] = value`.
    pub fn frame_set(&mut self, desc: Value, name: Value, value: Value) -> Run<()> {
        let place = self.named_place(desc, name)?;
        self.write_place(desc, place, value)
    }

    /// All variables of a description as a lookup table.
    pub fn frame_table(&mut self, desc: Value) -> Run<Value> {
        let variables = self.frame_variables(desc)?;
        let table = self.new_table(variables.len());
        self.rooted.push(table);
        for variable in variables {
            let value = self.read_place(desc, variable.place)?;
            self.table_add(table, &variable.name, value);
        }
        self.rooted.pop();
        Ok(table)
    }

    /// A lookup table with room for a number of entries.
    pub fn new_table(&mut self, count: usize) -> Value {
        Value::Obj(self.heap.alloc(Obj::Lookup(Box::new(LookupTable::new(false, 32, count.max(1))))))
    }

    /// Adds an entry whose key is a string to a new table.
    pub fn table_add(&mut self, table: Value, name: &str, value: Value) {
        let key = self.heap.new_text(name);
        if let Value::Obj(id) = table
            && self.lookup_table(table).is_some_and(|table| table.get(&self.heap, key).is_none())
        {
            self.lookup_set(id, key, value);
        }
    }

    /// self, property, target and definer of a description's frame, as LOADCTX takes them; nil outside of methods.
    pub fn frame_context(&mut self, desc: Value) -> Run<Value> {
        let (_, frame) = self.frame(desc)?;
        if frame.this == Value::Nil {
            return Ok(Value::Nil);
        }
        let items = vec![frame.this, Value::Prop(frame.prop), frame.target, Value::object(frame.definer)];
        Ok(self.heap.new_list(items))
    }

    /// One of the things that a description tells about its frame.
    pub fn frame_fact(&self, desc: Value, fact: fn(&FrameRef) -> Value) -> Run<Value> {
        self.frame(desc).map(|(_, frame)| fact(frame))
    }
}

// ---- named arguments

impl Vm {
    /// Names and stack places of the named arguments that the frame with a number was called with.
    pub fn named_arguments(&self, number: usize) -> Option<Vec<(String, usize)>> {
        let frame = self.frames.get(number)?;
        let crate::code::inst::Inst::NamedArgs { table, .. } = self.code.insts.get(frame.ret as usize)? else {
            return None;
        };
        let (pool, at) = self.code.pool(&self.image, *table);
        let (names, _) = phlox_t3_image::decode::named_table(pool, at).ok()?;
        // What a native function calls has that function's named arguments.
        let (top, count) = match frame.native {
            false => (frame.fp as usize, frame.argc as usize),
            true => {
                let native = self.native_calls.iter().rev().find(|native| native.depth == number)?;
                (native.top, native.count)
            }
        };
        // The names are in the order of pushing, all below the ordinary arguments.
        let first = top.checked_sub(count + names.len())?;
        Some(
            names.iter().enumerate().map(|(n, name)| (String::from_utf8_lossy(name).into_owned(), first + n)).collect(),
        )
    }
}

//! Saved games, in the reference's format, so that either interpreter restores what the other saved.
//!
//! After a header with a checksum comes the metaclass table, then the numbers of all objects that the image does not
//! have, then the contents of those and of the image's objects that have changed. Restoring starts from the image's
//! state, gives the saved objects new numbers and reads their contents with the numbers translated.

use std::path::Path;

use foldhash::HashMap;
use phlox_t3_image::{Kind, Reader, WIDE};
use phlox_t3_library::zone::Zone;

use crate::error::{self, Run, fail};
use crate::meta::{INFO, Meta};
use crate::objects::lookup::LookupTable;
use crate::objects::{IndexedIterator, IntrinsicClass, LookupIterator, Obj, TadsObject};
use crate::value::{NO_OBJECT, ObjId, PropId, Value};
use crate::vm::{Load, Loader, Vm};

/// What a saved game starts with.
const SIGNATURE: &[u8; 17] = b"T3-state-v000A\r\n\x1a";
/// Bytes of the longest text of the reference.
const MAX_TEXT: usize = 65_533;
/// Elements of its longest list.
const MAX_LIST: usize = 13_106;
/// Elements of its longest vector, and entries of its largest table.
const MAX_VECTOR: usize = 65_534;
/// The mark of an object whose contents are not saved.
const TRANSIENT: u32 = 1;

/// The bytes of a saved game under construction.
#[derive(Default)]
pub struct Output {
    bytes: Vec<u8>,
}

impl Output {
    fn u8(&mut self, value: u8) {
        self.bytes.push(value);
    }

    fn u16(&mut self, value: usize) {
        self.bytes.extend((value as u16).to_le_bytes());
    }

    fn u32(&mut self, value: u32) {
        self.bytes.extend(value.to_le_bytes());
    }

    fn text(&mut self, text: &str) {
        self.count(text.len(), MAX_TEXT);
        self.bytes.extend(text.as_bytes());
    }

    /// A count that the reference writes in two bytes, up to a limit of its own; larger ones are wide.
    fn count(&mut self, count: usize, limit: usize) {
        if count <= limit {
            self.u16(count);
        } else {
            self.u16(WIDE.into());
            self.u32(count as u32);
        }
    }
}

impl Vm {
    /// Writes a saved game to a file.
    pub fn save_to_file(&mut self, path: &Path, metadata: Value) -> Run<()> {
        let file = self.saved_game(metadata)?;
        std::fs::write(path, file).or_else(|_| fail(error::CREATE_FILE))
    }

    /// The bytes of a saved game.
    pub fn saved_game(&mut self, metadata: Value) -> Run<Vec<u8>> {
        self.collect()?;
        let body = self.saved_state(metadata)?;
        Ok(sealed(&body))
    }

    fn saved_state(&mut self, metadata: Value) -> Run<Vec<u8>> {
        let mut out = Output::default();
        out.bytes.extend(self.image.timestamp);
        let name = self.options.image_name.clone();
        out.text(&name);
        self.save_metadata(&mut out, metadata);
        let metas = self.save_metaclasses(&mut out);
        let ids: Vec<ObjId> = (1..self.heap.slots.len() as ObjId).collect();
        let reached = self.reached_from_image();
        let of_program: Vec<ObjId> =
            ids.into_iter().filter(|id| reached[*id as usize] && !self.heap.flags(*id).image).collect();
        out.u32(of_program.len() as u32);
        for id in &of_program {
            out.u32(*id);
            out.u32(if self.heap.flags(*id).transient { TRANSIENT } else { 0 });
        }
        let originals = self.image.clone();
        let mut records = Vec::new();
        for object in &originals.objects {
            if !object.transient
                && let Some(bytes) = self.changes(object)?
            {
                records.push((object.id, true, bytes));
            }
        }
        for id in of_program {
            if !self.heap.flags(id).transient {
                let mut bytes = Output::default();
                self.write_object(&mut bytes, id, None)?;
                records.push((id, false, bytes.bytes));
            }
        }
        records.sort_by_key(|record| record.0);
        out.u32(records.len() as u32);
        for (id, image, bytes) in records {
            let index = self.heap.get(id).meta().and_then(|meta| metas.iter().position(|row| *row == meta));
            out.u32(id);
            out.u8(u8::from(image));
            out.u8(index.unwrap_or(0) as u8);
            out.bytes.extend(bytes);
        }
        // Exports that the machine itself added: the last property.
        out.u32(1);
        out.text("LastProp");
        let last = self.last_prop;
        self.holder(&mut out, Value::Prop(last));
        Ok(out.bytes)
    }

    /// The table of names and values that saveGame was given.
    fn save_metadata(&self, out: &mut Output, metadata: Value) {
        let Some(table) = self.lookup_table(metadata) else {
            out.u16(0);
            return;
        };
        // Only texts are of use to other programs.
        let texts = |(key, value)| Some((self.heap.text(key)?.clone(), self.heap.text(value)?.clone()));
        let mut left = usize::from(u16::MAX) - 2;
        let fits = |(key, value): &(crate::text::Text, crate::text::Text)| {
            let size = 4 + key.len() + value.len();
            let fits = size <= left;
            left -= if fits { size } else { 0 };
            fits
        };
        // The table has a two-byte size: what does not fit any more is left out.
        let pairs: Vec<_> = table.iter().filter_map(texts).filter(fits).collect();
        let mut part = Output::default();
        part.u16(pairs.len());
        for (key, value) in pairs {
            part.text(&key);
            part.text(&value);
        }
        out.u16(part.bytes.len());
        out.bytes.extend(part.bytes);
    }

    /// The metaclass table: the image's rows, then those of other metaclasses that have objects.
    fn save_metaclasses(&mut self, out: &mut Output) -> Vec<Meta> {
        let mut metas = self.metas.clone();
        for slot in &self.heap.slots {
            if let Some(meta) = slot.obj.meta()
                && !metas.contains(&meta)
            {
                metas.push(meta);
            }
        }
        out.u16(metas.len());
        for (at, meta) in metas.iter().enumerate() {
            let info = &INFO[*meta as usize];
            match self.image.metaclasses.get(at) {
                Some(row) => out.text(&row.name),
                None => out.text(&format!("{}/{}", info.name, info.version)),
            }
            let props = &self.meta_props[*meta as usize];
            out.u32(self.class_objects[*meta as usize]);
            let used = props.iter().copied().filter(|prop| *prop != 0);
            let (min, max) = (used.clone().min().unwrap_or(0), used.max().map_or(0, |prop| prop + 1));
            out.u16(props.len());
            out.u16(min.into());
            out.u16(max.into());
            props.iter().for_each(|prop| out.u16((*prop).into()));
        }
        metas
    }

    /// What has changed of an image's object; `None` if nothing.
    fn changes(&mut self, object: &phlox_t3_image::image::StaticObject) -> Run<Option<Vec<u8>>> {
        let image = self.image.clone();
        let Some(meta) = self.metas.get(object.metaclass as usize).copied() else { return Ok(None) };
        let data = Reader::new("OBJS", &image.file[object.data.clone()], object.data.start);
        let Ok(original) = from_image(&mut Loader::new(self, data), meta, object.id) else { return Ok(None) };
        if let (Obj::Tads(now) | Obj::Modifier(now), Obj::Tads(then) | Obj::Modifier(then)) =
            (self.heap.get(object.id), &original)
        {
            let shapes = &self.heap.shapes;
            let same = |(prop, value): (&PropId, &Value)| then.own(shapes, *prop) == Some(*value);
            let props = shapes.get(now.shape).props.iter().zip(&now.values);
            if shapes.get(now.shape).supers == shapes.get(then.shape).supers && props.into_iter().all(same) {
                return Ok(None);
            }
        }
        let mut now = Output::default();
        self.write_object(&mut now, object.id, Some(&original))?;
        if !matches!(original, Obj::Tads(_) | Obj::Modifier(_)) {
            let mut then = Output::default();
            let id = self.heap.alloc(original);
            self.write_object(&mut then, id, None)?;
            self.heap.release(id);
            if now.bytes == then.bytes {
                return Ok(None);
            }
        }
        Ok(Some(now.bytes))
    }

    fn holder(&self, out: &mut Output, value: Value) {
        let (kind, raw) = match value {
            // References to what is not saved are nothing.
            Value::Obj(id) if !self.heap.exists(id) => (Kind::Nil, 0),
            value => self.heap.export(value),
        };
        out.u8(kind as u8);
        out.u32(raw);
    }

    fn holders(&self, out: &mut Output, values: &[Value]) {
        values.iter().for_each(|value| self.holder(out, *value));
    }

    /// Writes an object's contents; of a TADS object of the image only what differs from the original.
    fn write_object(&self, out: &mut Output, id: ObjId, original: Option<&Obj>) -> Run<()> {
        match self.heap.get(id) {
            Obj::Tads(object) | Obj::Modifier(object) => self.write_tads(out, object, original),
            Obj::Class(class) => {
                out.u16(13);
                out.u16(class.index.into());
                out.u32(class.modifier);
                self.holder(out, class.state);
            }
            Obj::Text(text) => out.text(text),
            Obj::List(items) => {
                out.count(items.len(), MAX_LIST);
                self.holders(out, items);
            }
            Obj::Vector(items) | Obj::AnonFn(items) => {
                // First the elements that there is place for.
                out.u16(items.len().min(MAX_VECTOR));
                out.count(items.len(), MAX_VECTOR);
                self.holders(out, items);
            }
            Obj::Lookup(table) => self.write_lookup(out, table),
            Obj::Zone(zone) => {
                let now = self.io.now().0.saturating_mul(1000);
                out.u32(zone.at(now).0 as u32);
                out.u32(0);
                let (abbreviation, name) = (zone.at(now).1, zone.name.as_str());
                for text in [abbreviation.as_str(), name] {
                    let text = &text.as_bytes()[..text.len().min(255)];
                    out.u8(text.len() as u8);
                    out.bytes.extend(text);
                }
            }
            Obj::Iter(iter) => {
                self.holder(out, iter.collection);
                [iter.at, iter.first, iter.last, 0].iter().for_each(|number| out.u32(*number as u32));
            }
            Obj::LookupIter(iter) => {
                self.holder(out, Value::object(iter.table));
                out.count(iter.at, MAX_VECTOR);
                out.u16(0);
            }
            Obj::Pattern(pattern) => self.holder(out, pattern.source),
            Obj::Buffer(chars) => {
                let units: Vec<u16> = chars.iter().collect::<String>().encode_utf16().collect();
                out.u32(units.len().max(1) as u32);
                out.u32(256);
                out.u32(units.len() as u32);
                units.into_iter().for_each(|unit| out.u16(unit.into()));
            }
            Obj::Bytes(bytes) => {
                out.u32(bytes.len() as u32);
                out.bytes.extend(bytes);
            }
            Obj::Big(number) => crate::contents::bignum::save(number, &mut out.bytes),
            Obj::CharSet(set) => out.text(&set.name),
            Obj::Comparator(comparator) => comparator.save(&mut out.bytes),
            Obj::Dictionary(dictionary) => self.write_dictionary(out, dictionary),
            Obj::Grammar(grammar) => grammar.save(&mut out.bytes),
            Obj::FileName(name) => {
                out.u32(0);
                out.text(name);
            }
            Obj::Date(date) => {
                let days = date.milliseconds.div_euclid(86_400_000);
                // Days count from 1 March of the year 0.
                out.u32((days + 719_468) as u32);
                out.u32(date.milliseconds.rem_euclid(86_400_000) as u32);
            }
            _ => return self.write_running(out, id),
        }
        Ok(())
    }

    /// Frames that the program refers to, and functions that were compiled while it ran.
    fn write_running(&self, out: &mut Output, id: ObjId) -> Run<()> {
        match self.heap.get(id) {
            Obj::FrameDesc(desc) => {
                out.u32(desc.frame);
                out.u16(1);
                out.u16(self.desc_offset(desc).into());
            }
            Obj::FrameRef(frame) => {
                let (locals, argc, values) = self.frame_values(frame);
                let (function, this, definer, target, prop, invokee) = Vm::frame_parts(frame);
                out.u16(locals);
                out.u16(argc);
                self.holders(out, &[function, this]);
                out.u32(definer);
                out.u32(target);
                out.u16(prop.into());
                self.holders(out, &[invokee]);
                self.holders(out, &values);
            }
            Obj::Dynamic(function) => {
                let (code, objects) = function.saved_code(&self.code.dynamic);
                out.u16(code.len());
                out.u16(objects.len());
                self.holder(out, Value::Nil);
                self.holder(out, function.source);
                out.bytes.extend(code);
                objects.iter().for_each(|at| out.u16(*at));
            }
            _ => return fail(error::WRITE_FILE),
        }
        Ok(())
    }

    fn write_lookup(&self, out: &mut Output, table: &LookupTable) {
        let (first_free, _) = table.free_chain();
        let buckets = table.buckets.clamp(1, 65_535) as usize;
        let (heads, next) = crate::save_hash::chains(&self.heap, table, buckets);
        let wide = table.entries.len() > MAX_VECTOR;
        let place = |out: &mut Output, at: usize| if wide { out.u32(at as u32) } else { out.u16(at) };
        out.u16(buckets);
        out.count(table.entries.len(), MAX_VECTOR);
        place(out, first_free);
        self.holder(out, table.default);
        heads.into_iter().for_each(|head| place(out, head));
        for (entry, next) in table.entries.iter().zip(next) {
            self.holders(out, &[entry.key, entry.value]);
            place(out, next);
        }
    }

    fn write_tads(&self, out: &mut Output, object: &TadsObject, original: Option<&Obj>) {
        let shapes = &self.heap.shapes;
        let original = match original {
            Some(Obj::Tads(original) | Obj::Modifier(original)) => Some(original),
            _ => None,
        };
        let changed: Vec<(PropId, Value)> = shapes
            .get(object.shape)
            .props
            .iter()
            .copied()
            .zip(object.values.iter().copied())
            .filter(|(prop, value)| original.is_none_or(|original| original.own(shapes, *prop) != Some(*value)))
            .collect();
        let supers = shapes.direct(object.shape);
        out.u16(changed.len());
        out.u16(supers.len());
        supers.iter().for_each(|id| out.u32(*id));
        for (prop, value) in changed {
            out.u16(prop.into());
            self.holder(out, value);
        }
    }

    fn write_dictionary(&self, out: &mut Output, dictionary: &crate::objects::dictionary::Dictionary) {
        out.u32(dictionary.comparator);
        let words = dictionary.in_order().into_iter().map(|at| &dictionary.words[at]).map(|word| {
            let entries: Vec<(ObjId, PropId)> =
                word.entries.iter().copied().filter(|entry| !self.heap.flags(entry.0).transient).collect();
            (&word.text, entries)
        });
        let words: Vec<_> = words.filter(|word| !word.1.is_empty()).collect();
        out.u32(words.len() as u32);
        for (text, entries) in words {
            out.text(text);
            out.count(entries.len(), MAX_VECTOR);
            for (object, prop) in entries {
                out.u32(object);
                out.u16(prop.into());
            }
        }
    }

    // ---- restoring

    /// Restores a saved game from a file.
    pub fn restore_from_file(&mut self, path: &Path) -> Run<()> {
        let Ok(file) = std::fs::read(path) else { return fail(error::FILE_NOT_FOUND) };
        self.restore_state(&file)
    }

    /// Restores a saved game from its bytes. Nothing changes unless the header is right.
    pub fn restore_state(&mut self, file: &[u8]) -> Run<()> {
        let Some(rest) = file.strip_prefix(SIGNATURE) else { return fail(error::NOT_SAVED_STATE) };
        let Some((head, body)) = rest.split_at_checked(8) else { return fail(error::BAD_SAVED_STATE) };
        let word = |at: usize| u32::from_le_bytes([head[at], head[at + 1], head[at + 2], head[at + 3]]);
        let Some(body) = body.get(..word(0) as usize) else { return fail(error::BAD_SAVED_STATE) };
        if phlox_t3_library::checksum::checksum(body) != word(4) {
            return fail(error::BAD_SAVED_STATE);
        }
        if body.get(..24) != Some(self.image.timestamp.as_slice()) {
            return fail(error::WRONG_SAVED_STATE);
        }
        self.state.undo.clear();
        if self.reset_objects().is_err() {
            return fail(error::BAD_SAVED_META_DATA);
        }
        let mut data = Reader::new("saved game", &body[24..], SIGNATURE.len() + 8 + 24);
        match self.read_state(&mut data) {
            Ok(()) => self.collect(),
            Err(_) => fail(error::BAD_SAVED_META_DATA),
        }
    }

    fn read_state(&mut self, data: &mut Reader<'_>) -> Load<()> {
        data.long_name()?;
        let size = data.u16()?;
        data.skip(size.into())?;
        let metas = read_metaclasses(data)?;
        let mut ids: HashMap<ObjId, ObjId> = HashMap::default();
        for _ in 0..data.u32()? {
            let (old, flags) = (data.u32()?, data.u32()?);
            let new = if flags & TRANSIENT != 0 { NO_OBJECT } else { self.heap.alloc(Obj::Text("".into())) };
            ids.insert(old, new);
        }
        for _ in 0..data.u32()? {
            let (id, image, index) = (data.u32()?, data.u8()? != 0, data.u8()?);
            let Some(Some(meta)) = metas.get(usize::from(index)).copied() else {
                return Err(data.error(format!("there is no metaclass {index}")));
            };
            let id = if image { id } else { ids.get(&id).copied().unwrap_or(NO_OBJECT) };
            if !self.heap.exists(id) {
                return Err(data.error(format!("there is no object {id}")));
            }
            let mut loader = Loader { vm: self, data: data.clone(), ids: Some(&ids) };
            let obj = read_object(&mut loader, meta, id)?;
            let read = loader.data.position() - data.position();
            data.skip(read)?;
            if let Some(place) = self.heap.get_mut(id) {
                *place = obj;
            }
        }
        for _ in 0..data.u32()? {
            let name = data.long_name()?;
            let value = data.holder()?;
            if name == "LastProp" {
                self.last_prop = self.last_prop.max(value.raw as PropId);
            }
        }
        self.heap.shapes.epoch += 1;
        self.after_restore(ids.values().copied().collect());
        Ok(())
    }

    /// Facts that are not saved: who is inherited from, whose finalizer will run, and the hashes of tables, whose keys
    /// may have been read after them.
    fn after_restore(&mut self, ids: Vec<ObjId>) {
        self.mark_superclasses();
        self.compile_patterns();
        self.move_restored_functions();
        self.settle_descriptions(&ids);
        for id in ids {
            let destructor = self.predef.destructor;
            let finalizable =
                destructor != 0 && self.heap.tads(id).is_some() && self.find_prop(Value::Obj(id), destructor).is_some();
            if let Some(flags) = self.heap.flags_mut(id) {
                flags.finalizable = finalizable;
            }
        }
        self.hash_tables();
    }
}

/// A saved game's body with the head that makes it valid.
pub fn sealed(body: &[u8]) -> Vec<u8> {
    let mut file = SIGNATURE.to_vec();
    file.extend((body.len() as u32).to_le_bytes());
    file.extend(phlox_t3_library::checksum::checksum(body).to_le_bytes());
    file.extend(body);
    file
}

/// The metaclass table of a saved game.
fn read_metaclasses(data: &mut Reader<'_>) -> Load<Vec<Option<Meta>>> {
    let mut metas = Vec::new();
    for _ in 0..data.u16()? {
        let name = data.long_name()?;
        let name = name.split_once('/').map_or(name.as_str(), |(name, _)| name).to_owned();
        metas.push(Meta::from_name(&name));
        data.skip(4)?;
        let count = data.u16()?;
        data.skip(4 + 2 * usize::from(count))?;
    }
    Ok(metas)
}

/// An object's contents as the image has them. What no class reads has the form of saved games.
pub fn from_image(loader: &mut Loader<'_>, meta: Meta, id: ObjId) -> Load<Obj> {
    match loader.vm.natives.class(meta).load {
        Some(load) => load(loader, meta),
        None => read_object(loader, meta, id),
    }
}

/// An object's contents as the saved game has them; where they differ in form from an image's.
fn read_object(loader: &mut Loader<'_>, meta: Meta, id: ObjId) -> Load<Obj> {
    match meta {
        Meta::TadsObject | Meta::IntClassMod => read_tads(loader, meta, id),
        Meta::IntrinsicClass => {
            let size = loader.data.u16()?;
            let index = loader.data.u16()?;
            let modifier = loader.object()?;
            let state = if size >= 13 { loader.value()? } else { Value::Nil };
            let meta = loader.vm.metas.get(index as usize).copied();
            Ok(Obj::Class(Box::new(IntrinsicClass { meta, index, modifier, state })))
        }
        Meta::LookupTable | Meta::WeakRefLookupTable => crate::contents::lookup::read_saved(loader, meta),
        Meta::Dictionary => crate::contents::dictionary::read_saved(loader),
        Meta::StackFrameRef => crate::frames::read_reference(loader),
        Meta::StackFrameDesc => crate::frames::read_description(loader),
        Meta::DynamicFunc => crate::contents::dynamic::read_saved(loader),
        Meta::IndexedIterator => {
            let collection = loader.value()?;
            let (at, first, last) = (loader.data.i32()?, loader.data.i32()?, loader.data.i32()?);
            loader.data.skip(4)?;
            Ok(Obj::Iter(Box::new(IndexedIterator { collection, at, first, last })))
        }
        Meta::LookupTableIterator => {
            let table = loader.value()?.as_object().unwrap_or(NO_OBJECT);
            let at = loader.data.wide_count()?;
            loader.data.skip(2)?;
            Ok(Obj::LookupIter(Box::new(LookupIterator { table, at })))
        }
        Meta::TimeZone => read_zone(loader),
        Meta::Date => {
            let days = i64::from(loader.data.i32()?) - 719_468;
            let milliseconds = days * 86_400_000 + i64::from(loader.data.u32()?);
            Ok(Obj::Date(Box::new(crate::objects::date::Date { milliseconds })))
        }
        meta => match loader.vm.natives.class(meta).load {
            Some(load) => load(loader, meta),
            None => Err(loader.data.error(format!("objects of {} are not saved", INFO[meta as usize].name))),
        },
    }
}

/// A zone by its name, or, where nothing is known of the name, by its distance to universal time.
fn read_zone(loader: &mut Loader<'_>) -> Load<Obj> {
    let (offset, saving) = (loader.data.i32()?, loader.data.i32()?);
    let mut names = [String::new(), String::new()];
    for name in &mut names {
        let length = usize::from(loader.data.u8()?);
        *name = String::from_utf8_lossy(loader.data.bytes(length)?).into_owned();
    }
    let [first, second] = names;
    // Saved games have the abbreviation before the name, images behind it.
    let name = if loader.ids.is_some() { second } else { first };
    let zone = Zone::named(&name)
        .or_else(|| Some(Zone { name, ..Zone::fixed(offset.saturating_add(saving) / 1000)? }))
        .unwrap_or_else(Zone::utc);
    Ok(Obj::Zone(Box::new(zone)))
}

/// An object of the program: its changed properties over those that it has in the image.
fn read_tads(loader: &mut Loader<'_>, meta: Meta, id: ObjId) -> Load<Obj> {
    let (count, supers) = (loader.data.u16()?, loader.data.u16()?);
    let supers = (0..supers).map(|_| loader.object()).collect::<Load<Vec<ObjId>>>()?;
    let old = loader.vm.heap.tads(id).cloned();
    let (mut props, mut values, is_class) = match &old {
        Some(old) => (loader.vm.heap.shapes.get(old.shape).props.to_vec(), old.values.clone(), old.is_class),
        None => (Vec::new(), Vec::new(), false),
    };
    for _ in 0..count {
        let prop = loader.data.u16()?;
        let value = loader.value()?;
        match props.iter().position(|own| *own == prop) {
            Some(at) => values[at] = value,
            None => {
                props.push(prop);
                values.push(value);
            }
        }
    }
    let mut shape = loader.vm.heap.shapes.root(&supers);
    for prop in &props {
        shape = loader.vm.heap.shapes.with(shape, *prop);
    }
    let object = TadsObject { shape, values, is_class };
    Ok(if meta == Meta::IntClassMod { Obj::Modifier(object) } else { Obj::Tads(object) })
}

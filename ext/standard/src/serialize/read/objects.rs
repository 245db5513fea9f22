//! Objects and cases of enums.

use super::*;

impl Reader<'_> {
    /// The class to make for a name; `true`: a stand-in for a class that is unknown or not allowed.
    fn class_for(&mut self, name: &PhpStr) -> Read<(ClassRef, bool)> {
        let incomplete = |vm: &Vm| Ok(Some((vm.require_class(INCOMPLETE_CLASS)?, true)));
        if self.state.allowed.as_ref().is_some_and(|allowed| !allowed.contains_key(&name.to_ascii_lowercase())) {
            return if is_class_name(name) { incomplete(self.vm) } else { Ok(None) };
        }
        if !is_class_name(name) {
            return Ok(None);
        }
        if let Some(class) = self.vm.find_class(name)? {
            return Ok(Some((class, false)));
        }
        let callback = self.vm.ini.get(&crate::serialize::UNSERIALIZE_CALLBACK_FUNC);
        if callback.is_empty() {
            return incomplete(self.vm);
        }
        match self.vm.resolve_callable(&(&callback).into())? {
            Ok(callee) => drop(self.vm.call(&callee, vec![Val::from(name)])?),
            Err(reason) => {
                return Err(self.vm.throw_error(format!("Invalid callback {callback}, {reason}").as_bytes()));
            }
        }
        match self.vm.find_class(name)? {
            Some(class) => Ok(Some((class, false))),
            None => {
                self.warning(&format!("Function {callback}() hasn't defined the class it was called for"))?;
                incomplete(self.vm)
            }
        }
    }

    pub(super) fn object(&mut self, number: usize) -> Read<Val> {
        let custom = self.byte(self.at) == b'C';
        let (length, body) = read!(self.length_at(self.at + 2, b":\""));
        if self.text.len() - body < length || length == 0 {
            self.at += 2;
            return Ok(None);
        }
        let start = self.at;
        read!(self.closing(body + length, b':'));
        let name = PhpStr::new(&self.text[body..body + length]);
        if matches!(name[0], 0 | b'\\') {
            self.at = start;
            return Ok(None);
        }
        // The position moves on only when the class is known.
        self.at = start;
        let (class, incomplete) = read!(self.class_for(&name)?);
        self.at = body + length;
        if class.class().native.no_serialize || class.class().is_anonymous() {
            let shown = convert::printable_name(&class.class().name);
            return Err(self
                .vm
                .throw(Thrown::Exception, &[b"Unserialization of '", shown, b"' is not allowed"].concat()));
        }
        if custom {
            return self.custom_object(number, &class, &name, incomplete);
        }
        if self.at + 2 >= self.text.len() {
            self.vm.warning(b"Bad unserialize data")?;
            return Ok(None);
        }
        let quote = self.at;
        let (count, end) = self.count_at(quote + 2)?;
        self.at = end;
        let count = read!(self.plausible(count, quote));
        read!(self.opening());
        let method = |name: &[u8]| class.class().methods.get(&ByBytes(name)).cloned().filter(|_| !incomplete);
        let unserialize = method(b"__unserialize");
        if unserialize.is_none() && self.is_serializable(&class) {
            let shown = &class.class().name;
            self.vm.warning(&[b"Erroneous data format for unserializing '", &shown[..], b"'"].concat())?;
            return Ok(None);
        }
        if class.class().is_enum() {
            return Err(self.vm.throw_error(&[b"Cannot instantiate enum ", &class.class().name[..]].concat()));
        }
        let object = self.vm.instantiate(&class)?;
        self.remember(number, &object);
        if incomplete {
            self.store_class_name(&object, &name);
        }
        if let Some(func) = unserialize {
            let data = self.unserialize_data(&object, count);
            if !matches!(data, Ok(Some(_))) {
                self.partial = (&object).into();
            }
            let data = read!(data?);
            // The object gets its data even if the brace behind them is missing.
            self.state.delayed.push(Delayed::Unserialize(object.clone(), func, data));
            return Ok(self.closed(object));
        }
        let wakeup = method(b"__wakeup");
        let completed = self.elements(count, |reader, key| reader.property(&object, key));
        if !matches!(completed, Ok(Some(()))) {
            if wakeup.is_some() {
                object.mark_destructed();
            }
            self.partial = object.into();
            return completed.map(|_| None);
        }
        if let Some(func) = wakeup {
            self.state.delayed.push(Delayed::Wakeup(object.clone(), func));
        }
        Ok(self.closed(object))
    }

    /// The object, if the closing brace follows.
    fn closed(&mut self, object: PhpObj) -> Option<Val> {
        if self.close().is_none() {
            self.partial = object.into();
            return None;
        }
        Some(object.into())
    }

    /// Reads the value of a property. The part that was read of a malformed value is stored all the same.
    fn property_value(&mut self, store: impl FnOnce(Val)) -> Read<Val> {
        let value = self.value();
        if !matches!(value, Ok(Some(_))) && !self.partial.is_undef() {
            store(std::mem::take(&mut self.partial));
        }
        value
    }

    /// `:{`; leaves the position at what is wrong.
    fn opening(&mut self) -> Option<()> {
        if self.byte(self.at) != b':' {
            return None;
        }
        self.at += 1;
        if self.byte(self.at) != b'{' {
            return None;
        }
        self.at += 1;
        Some(())
    }

    fn unserialize_data(&mut self, object: &PhpObj, count: usize) -> Read<PhpArr> {
        let mut data = PhpArr::new();
        let completed = self.elements(count, |reader, key| {
            let value = reader.value();
            // The data of an object that is malformed are gone at once.
            reader.partial = Val::UNDEF;
            let value = read!(value?);
            let key = match key {
                ArrKey::Str(text) => ArrKey::from_str(text),
                int => int,
            };
            drop(data.insert(key.as_key(), value));
            Ok(Some(()))
        });
        if !matches!(completed, Ok(Some(()))) {
            object.mark_destructed();
        }
        read!(completed?);
        Ok(Some(data))
    }

    /// Makes the object known under its number before its contents are read.
    fn remember(&mut self, number: usize, object: &PhpObj) {
        match self.state.slots[number - 1].as_ref().cloned() {
            Some(reference) => reference.set(object.into()),
            None => self.state.slots[number - 1].set(object.into()),
        }
    }

    fn store_class_name(&self, object: &PhpObj, name: &PhpStr) {
        object.update_dynamic(|table| drop(table.insert(Key::Str(&PhpStr::intern(INCOMPLETE_NAME)), name.into())));
    }

    fn is_serializable(&self, class: &ClassRef) -> bool {
        self.vm.find_class_no_autoload(b"serializable").is_some_and(|interface| class.class().is_a(&interface))
    }

    /// `C:3:"Foo":4:{data}`
    fn custom_object(&mut self, number: usize, class: &ClassRef, name: &PhpStr, incomplete: bool) -> Read<Val> {
        let (required, end) = self.count_at(self.at + 2)?;
        self.at = end;
        if self.text.len().saturating_sub(end) < 2 {
            return Ok(None);
        }
        read!(self.opening());
        let body = self.at;
        let present = self.text.len() - body;
        let Some(length) = usize::try_from(required).ok().filter(|&length| length < present) else {
            let text = format!("Insufficient data for unserializing - {required} required, {present} present");
            self.vm.warning(text.as_bytes())?;
            return Ok(None);
        };
        if self.byte(body + length) != b'}' {
            self.at = body + length;
            return Ok(None);
        }
        let end = body + length + 1;
        let func = class.class().methods.get(&ByBytes(b"unserialize")).cloned().filter(|_| self.is_serializable(class));
        if let Some(hook) = class.class().native.unserialize {
            let object = self.vm.instantiate(class)?;
            self.remember(number, &object);
            hook(self.vm, &object, &self.text[body..body + length])?;
            self.at = end;
            return Ok(Some(object.into()));
        }
        let Some(func) = func else {
            let shown = &class.class().name;
            self.vm.warning(&[b"Class ", &shown[..], b" has no unserializer"].concat())?;
            let object = self.vm.instantiate(class)?;
            self.remember(number, &object);
            if incomplete {
                self.store_class_name(&object, name);
            }
            self.at = end;
            return Ok(Some(object.into()));
        };
        let object = self.vm.instantiate(class)?;
        self.remember(number, &object);
        let data = Val::str(&self.text[body..body + length]);
        // Calls of `unserialize` inside the method go on with the numbers of this text.
        self.hand_back();
        let result = self.vm.call(&Callee::method(func, object.clone()), vec![data]);
        self.state = self.vm.keyed(&SHARED).0.borrow_mut().take().unwrap_or_default();
        result?;
        self.at = end;
        Ok(Some(object.into()))
    }

    /// The declared property that a mangled name means. A changed visibility is forgiven.
    fn declared(&self, object: &PhpObj, key: &PhpStr) -> Option<Rc<PropInfo>> {
        let class = object.class();
        let exact = class.slots.iter().find(|info| convert::mangled_name(info) == *key);
        if let Some(info) = exact {
            return Some(info.clone());
        }
        let (owner, name) = convert::unmangle_name(key);
        if owner.is_some_and(|owner| owner != b"*" && !owner.eq_ignore_ascii_case(&class.name)) {
            return None;
        }
        if let Some(info) = class.props.get(&ByBytes(name)) {
            return Some(info.clone()).filter(|info| !info.is_static());
        }
        // The key may also name a private property of a parent, the nearest one.
        class.slots.iter().rev().find(|info| *info.name == *name).cloned()
    }

    fn property(&mut self, object: &PhpObj, key: ArrKey) -> Read<()> {
        let key = match key {
            ArrKey::Str(name) => name,
            ArrKey::Int(i) => convert::int_to_str(i),
        };
        let Some(info) = self.declared(object, &key) else {
            let (_, name) = convert::unmangle_name(&key);
            let exists = object.dynamic().is_some_and(|table| table.contains(Key::from_str(&key)));
            if !exists {
                self.check_dynamic(object, name)?;
            }
            let store = |value: Val| object.update_dynamic(|table| drop(table.insert(Key::from_str(&key), value)));
            let value = read!(self.property_value(store)?);
            store(value);
            return Ok(Some(()));
        };
        if info.is_virtual() {
            let owner = convert::printable_name(&info.declarer().class().name);
            let text = [
                self.function.as_bytes(),
                b"(): Cannot unserialize value for virtual property ",
                owner,
                b"::$",
                &info.name,
            ];
            self.vm.warning(&text.concat())?;
            return Ok(None);
        }
        let slot = &object.slots()[info.slot];
        slot.set(Val::NULL);
        let value = read!(self.property_value(|value| slot.set(value))?);
        if info.ty.is_none() {
            slot.set(value);
            return Ok(Some(()));
        }
        match value.as_ref() {
            None => slot.set(coerce::property_value(self.vm, &info, value, true)?),
            Some(reference) => {
                coerce::bind_reference(self.vm, &info, reference, true)?;
                reference.add_source(info.clone());
                slot.set(value);
            }
        }
        Ok(Some(()))
    }

    fn check_dynamic(&self, object: &PhpObj, name: &[u8]) -> PhpResult<()> {
        let class = object.class();
        let shown = [convert::printable_name(&class.name), b"::$", name].concat();
        if class.native.no_dynamic || class.attrs.has(phlox_runtime::class::Attrs::READONLY) {
            return Err(self.vm.throw_error(&[b"Cannot create dynamic property ", &shown[..]].concat()));
        }
        if !link::allows_dynamic_properties(class) {
            self.vm.deprecated(&[b"Creation of dynamic property ", &shown[..], b" is deprecated"].concat())?;
        }
        Ok(())
    }

    pub(super) fn enum_case(&mut self, number: usize) -> Read<Val> {
        let (length, body) = read!(self.length_at(self.at + 2, b":\""));
        if self.text.len() - body < length || length == 0 {
            self.at += 2;
            return Ok(None);
        }
        let start = self.at;
        read!(self.closing(body + length, b';'));
        let end = self.at;
        self.at = start;
        let text = &self.text[body..body + length];
        let shown = phlox_runtime::shown(text).into_owned();
        let Some(colon) = text.iter().position(|&b| b == b':') else {
            self.warning(&format!("Invalid enum name '{shown}' (missing colon)"))?;
            return Ok(None);
        };
        let (enum_name, case) = (PhpStr::new(&text[..colon]), PhpStr::new(&text[colon + 1..]));
        if !is_class_name(&enum_name) {
            return Ok(None);
        }
        let Some(class) = self.vm.find_class(&enum_name)? else {
            self.warning(&format!("Class '{enum_name}' not found"))?;
            return Ok(None);
        };
        if !class.class().is_enum() {
            self.warning(&format!("Class '{enum_name}' is not an enum"))?;
            return Ok(None);
        }
        self.at = end;
        let Some(constant) = class.class().constants.get(&case) else {
            self.warning(&format!("Undefined constant {enum_name}::{case}"))?;
            return Ok(None);
        };
        if !constant.attrs.has(phlox_runtime::class::Attrs::CASE) {
            self.warning(&format!("{enum_name}::{case} is not an enum case"))?;
            return Ok(None);
        }
        let value = link::constant(self.vm, &class, &case, Some(&class))?;
        if let Some(object) = value.as_obj() {
            self.remember(number, object);
        }
        Ok(Some(value))
    }
}

//! Changes of an archive, which are kept until it is closed.

use super::error::{Code, Result, ZipError};
use super::extra;
use super::flags::{self, archive};
use super::header::{FILE_ATTRIBUTES, FOLDER_ATTRIBUTES, Header, OPSYS_DEFAULT, encryption};
use super::source::Source;
use super::text::{self, Encoding, Text};
use super::time::DosTime;
use super::{Archive, Changes, Entry, bytes, changed, cipher, codec};
use std::rc::Rc;

impl Entry {
    /// The header that will be written, made from the archive's if it is not there yet.
    fn change(&mut self) -> &mut Changes {
        let original = &self.original;
        self.changes.get_or_insert_with(|| {
            let header = original.clone().unwrap_or_default();
            Box::new(Changes { header, what: 0 })
        })
    }

    /// Forgets the header that would be written if nothing in it is changed.
    fn drop_empty_changes(&mut self) {
        if self.changes.as_ref().is_some_and(|changes| changes.what == 0) {
            self.changes = None;
        }
    }

    fn drop_data(&mut self) {
        self.source = None;
        self.is_deleted = false;
    }
}

impl Archive {
    fn check_writable(&self) -> Result<()> {
        if self.is_read_only() { Err(Code::ReadOnly.into()) } else { Ok(()) }
    }

    fn check_free_form(&self) -> Result<()> {
        if self.wants_torrentzip() { Err(Code::NotAllowed.into()) } else { Ok(()) }
    }

    fn entry(&mut self, index: usize) -> Result<&mut Entry> {
        self.entries.get_mut(index).ok_or(Code::Invalid.into())
    }

    /// Adds an entry, or with `OVERWRITE` replaces the one with this name; gives its index.
    pub fn add(&mut self, name: &[u8], source: Source, flags: u32) -> Result<usize> {
        self.check_writable()?;
        let known = if flags & flags::OVERWRITE != 0 { self.find(name, flags).ok() } else { None };
        let index = known.unwrap_or(self.entries.len());
        if known.is_none() {
            self.entries.push(Entry::default());
        }
        if let Err(error) = self.set_name(index, name, flags) {
            if known.is_none() {
                self.entries.pop();
            }
            return Err(error);
        }
        self.set_source(index, source)?;
        Ok(index)
    }

    /// Replaces the data of an entry.
    pub fn replace(&mut self, index: usize, source: Source) -> Result<()> {
        self.entry(index)?;
        self.check_writable()?;
        self.set_source(index, source)
    }

    fn set_source(&mut self, index: usize, source: Source) -> Result<()> {
        // Extra fields mostly tell something of the data, so they go with it.
        self.read_local_fields(index)?;
        let entry = self.entry(index)?;
        let changes = entry.change();
        changes.header.fields.clear();
        changes.what |= changed::FIELDS;
        entry.drop_data();
        entry.source = Some(source);
        Ok(())
    }

    /// Adds a folder, whose name gets a slash at its end.
    pub fn add_folder(&mut self, name: &[u8], flags: u32) -> Result<usize> {
        self.check_writable()?;
        let slash: &[u8] = if name.ends_with(b"/") { b"" } else { b"/" };
        let index = self.add(&[name, slash].concat(), Source::memory(b""), flags)?;
        if let Err(error) = self.set_attributes(index, OPSYS_DEFAULT, FOLDER_ATTRIBUTES) {
            // What cannot be deleted either stays, as in libzip.
            let _ = self.delete(index);
            return Err(error);
        }
        Ok(index)
    }

    pub(super) fn set_name(&mut self, index: usize, name: &[u8], flags: u32) -> Result<()> {
        self.entry(index)?;
        self.check_writable()?;
        if name.len() > usize::from(u16::MAX) {
            return Err(Code::Invalid.into());
        }
        let new = Text::given(name, flags)?.map(|text| text.settled(flags));
        match self.find(name, 0) {
            Ok(other) if other != index => return Err(Code::Exists.into()),
            Ok(_) => return Ok(()),
            Err(_) => {}
        }
        let raw = |text: &Option<Text>| text.as_ref().map(|text| text.raw.clone());
        let entry = &self.entries[index];
        let is_original = entry.original.as_ref().is_some_and(|header| raw(&header.name) == raw(&new));
        let kept = entry.original.as_ref().filter(|_| is_original).and_then(|header| header.name.as_ref());
        let key = text::shown(kept.or(new.as_ref()), 0).into_owned();
        let former = entry.changes.as_ref().map(|changes| &changes.header).or(entry.original.as_ref());
        let former = former.and_then(|header| header.name.as_ref()).map(|name| name.get(0).into_owned());
        self.names.add(&key, index)?;
        if let Some(former) = former {
            // A name of which another entry was first is not in the table.
            let _ = self.names.remove(&former);
        }
        let entry = &mut self.entries[index];
        if !is_original {
            let changes = entry.change();
            changes.header.name = new;
            changes.what |= changed::NAME;
        } else if let Some(changes) = entry.changes.as_mut().filter(|changes| changes.what & changed::NAME != 0) {
            changes.what &= !changed::NAME;
            changes.header.name = entry.original.as_ref().and_then(|header| header.name.clone());
            entry.drop_empty_changes();
        }
        Ok(())
    }

    /// Renames an entry; folders stay folders.
    pub fn rename(&mut self, index: usize, name: &[u8]) -> Result<()> {
        if index >= self.entries.len() || name.len() > usize::from(u16::MAX) {
            return Err(Code::Invalid.into());
        }
        self.check_writable()?;
        if self.name(index, 0)?.ends_with(b"/") != name.ends_with(b"/") {
            return Err(Code::Invalid.into());
        }
        self.set_name(index, name, 0)
    }

    /// Deletes an entry. Its index stays.
    pub fn delete(&mut self, index: usize) -> Result<()> {
        self.entry(index)?;
        self.check_writable()?;
        let name = self.name(index, 0)?.into_owned();
        self.names.remove(&name)?;
        self.revert_entry(index, true)?;
        self.entries[index].is_deleted = true;
        Ok(())
    }

    /// Reverts the changes of an entry.
    pub fn revert(&mut self, index: usize) -> Result<()> {
        self.revert_entry(index, false)
    }

    fn revert_entry(&mut self, index: usize, allows_duplicates: bool) -> Result<()> {
        let entry = self.entry(index)?;
        let (is_renamed, is_deleted) = (entry.changed(changed::NAME), entry.is_deleted);
        let has_original = entry.original.is_some();
        if !allows_duplicates && (is_renamed || is_deleted) {
            let original = if has_original { Some(self.name(index, flags::UNCHANGED)?.into_owned()) } else { None };
            if let Some(name) = &original
                && self.find(name, 0).is_ok_and(|other| other != index)
            {
                return Err(Code::Exists.into());
            }
            let new = if is_renamed { Some(self.name(index, 0)?.into_owned()) } else { None };
            if let Some(name) = &original {
                self.names.add(name, index)?;
            }
            if let Some(name) = new
                && let Err(error) = self.names.remove(&name)
            {
                // The name that was just added goes again.
                let _ = original.map(|name| self.names.remove(&name));
                return Err(error);
            }
        }
        let entry = &mut self.entries[index];
        entry.changes = None;
        entry.drop_data();
        Ok(())
    }

    /// Reverts all changes.
    pub fn revert_all(&mut self) -> Result<()> {
        self.names.revert();
        let mut result = Ok(());
        for index in 0..self.entries.len() {
            result = self.revert_entry(index, true).and(result);
        }
        self.revert_archive();
        result
    }

    /// Reverts changes of the comment and of the properties.
    pub fn revert_archive(&mut self) {
        self.new_comment = None;
        self.new_flags = self.flags;
    }

    /// Sets the comment of the archive.
    pub fn set_comment(&mut self, comment: &[u8]) -> Result<()> {
        self.check_writable()?;
        self.check_free_form()?;
        let new = Text::found(comment);
        if new.as_ref().is_some_and(|text| text.encoding == Encoding::Cp437) {
            return Err(Code::Invalid.into());
        }
        let raw = |text: &Option<Text>| text.as_ref().map(|text| text.raw.clone());
        self.new_comment = (raw(&new) != raw(&self.comment)).then_some(new);
        Ok(())
    }

    /// Sets or clears a property.
    pub fn set_flag(&mut self, flag: u32, value: bool) -> Result<()> {
        if flag == archive::IS_TORRENTZIP {
            return Err(Code::Invalid.into());
        }
        let new = if value { self.new_flags | flag } else { self.new_flags & !flag };
        if new == self.new_flags {
            return Ok(());
        }
        if self.flags & archive::RDONLY != 0 {
            return Err(Code::ReadOnly.into());
        }
        if flag & archive::RDONLY != 0 && value && !self.is_read_only() && self.is_changed() {
            return Err(Code::Changed.into());
        }
        self.new_flags = new;
        Ok(())
    }

    /// Are there changes to be written?
    pub(super) fn is_changed(&self) -> bool {
        let becomes_torrentzip = self.wants_torrentzip() && self.flags & archive::IS_TORRENTZIP == 0;
        self.new_comment.is_some() || becomes_torrentzip || self.entries.iter().any(Entry::has_changes)
    }

    fn check_change(&self, index: usize) -> Result<()> {
        self.header(index, 0)?;
        self.check_writable()?;
        self.check_free_form()
    }

    /// Sets the comment of an entry.
    pub fn set_entry_comment(&mut self, index: usize, comment: &[u8]) -> Result<()> {
        self.check_change(index)?;
        let new = Text::found(comment).map(|text| text.settled(0));
        let entry = self.entry(index)?;
        let original = entry.original.as_ref().and_then(|header| header.comment.clone());
        let raw = |text: &Option<Text>| text.as_ref().map(|text| text.raw.clone());
        if raw(&original) != raw(&new) {
            let changes = entry.change();
            changes.header.comment = new;
            changes.what |= changed::COMMENT;
        } else if let Some(changes) = &mut entry.changes {
            changes.header.comment = original;
            changes.what &= !changed::COMMENT;
            entry.drop_empty_changes();
        }
        Ok(())
    }

    /// Sets system and attributes of an entry.
    pub fn set_attributes(&mut self, index: usize, system: u8, attributes: u32) -> Result<()> {
        self.check_change(index)?;
        let entry = self.entry(index)?;
        let original = entry.original.as_ref().map(|header| ((header.version_made_by >> 8) as u8, header.attributes));
        let original = original.unwrap_or((OPSYS_DEFAULT, FILE_ATTRIBUTES));
        let is_new = (system, attributes) != original;
        if !is_new && entry.changes.is_none() {
            return Ok(());
        }
        let changes = entry.change();
        let header = &mut changes.header;
        header.version_made_by = u16::from(system) << 8 | header.version_made_by & 0xff;
        header.attributes = attributes;
        if is_new {
            changes.what |= changed::ATTRIBUTES;
        } else {
            changes.what &= !changed::ATTRIBUTES;
            entry.drop_empty_changes();
        }
        Ok(())
    }

    /// Sets the time of an entry, in seconds since 1970.
    pub fn set_time(&mut self, index: usize, seconds: i64) -> Result<()> {
        let time = DosTime::from_unix(seconds).ok_or(ZipError::with(Code::Invalid, 75))?;
        self.check_change(index)?;
        let entry = self.entry(index)?;
        let is_pkware = entry.original.as_ref().is_some_and(|header| header.encryption == encryption::PKWARE);
        if is_pkware && !entry.changed(changed::ENCRYPTION) && entry.source.is_none() {
            // The time is part of what the password is checked by.
            return Err(Code::OpNotSupp.into());
        }
        let changes = entry.change();
        changes.header.time = time;
        changes.header.exact_time = Some(seconds);
        changes.what |= changed::TIME;
        Ok(())
    }

    /// Sets how an entry is compressed.
    pub fn set_method(&mut self, index: usize, method: i32, level: u32) -> Result<()> {
        self.entry(index)?;
        self.check_writable()?;
        self.check_free_form()?;
        if !codec::is_supported(method) {
            return Err(Code::CompNotSupp.into());
        }
        let changes = self.entry(index)?.change();
        changes.header.method = method;
        changes.header.level = level as u16;
        changes.what |= changed::METHOD;
        Ok(())
    }

    /// Sets how an entry is encrypted; without a password it is the archive's.
    pub fn set_encryption(&mut self, index: usize, method: u16, password: Option<&[u8]>) -> Result<()> {
        self.entry(index)?;
        self.check_writable()?;
        self.check_free_form()?;
        if !cipher::is_supported(method) {
            return Err(Code::EncrNotSupp.into());
        }
        let entry = self.entry(index)?;
        let original = entry.original.as_ref();
        let (former, of_original) =
            (original.map_or(0, |header| header.encryption), original.and_then(|header| header.password.clone()));
        if method == former && password.is_none() {
            if let Some(changes) = &mut entry.changes {
                changes.header.password = of_original;
                changes.what &= !(changed::ENCRYPTION | changed::PASSWORD);
                entry.drop_empty_changes();
            }
            return Ok(());
        }
        let changes = entry.change();
        changes.header.encryption = method;
        changes.header.password = password.map(Rc::from).or(of_original);
        changes.what |= changed::ENCRYPTION;
        changes.what &= !changed::PASSWORD;
        if password.is_some() {
            changes.what |= changed::PASSWORD;
        }
        Ok(())
    }

    /// Sets the password of entries that have none of their own; an empty one is none.
    pub fn set_password(&mut self, password: &[u8]) {
        self.password = (!password.is_empty()).then(|| Rc::from(password));
    }

    /// Adds the fields of an entry's local header to those of the central directory.
    pub(super) fn read_local_fields(&mut self, index: usize) -> Result<()> {
        let input = self.input.clone();
        let entry = self.entry(index)?;
        let (Some(header), Some(input)) = (&mut entry.original, input) else { return Ok(()) };
        if header.has_local_fields {
            return Ok(());
        }
        let at = header.offset.checked_add(26).filter(|&at| at <= i64::MAX as u64).ok_or(ZipError::too_far())?;
        let sizes = input.read(at, 4)?;
        let mut sizes = bytes::Bytes::new(&sizes);
        let (name, size) = (u64::from(sizes.short()), usize::from(sizes.short()));
        if size > 0 {
            let mut fields = extra::parse(&input.read(at + 4 + name, size)?, extra::LOCAL)?;
            extra::drop_internal(&mut fields);
            extra::merge(&mut header.fields, fields);
        }
        header.has_local_fields = true;
        if let Some(changes) = entry.changes.as_mut().filter(|changes| !changes.header.has_local_fields) {
            let Header { fields, .. } = header;
            changes.header.fields.clone_from(fields);
            changes.header.has_local_fields = true;
        }
        Ok(())
    }
}

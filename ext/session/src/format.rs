//! The formats of a session's variables: `session.serialize_handler`.

use crate::state::Voice;
use phlox_ext_standard::serialize::{Sequence, serialize_each, serialize_value};
use phlox_runtime::{Key, PhpArr, PhpResult, PhpStr, Val};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// `name|VALUE...`
    Php,
    /// For each variable a byte with the length of the name, the name, and the value.
    Binary,
    /// The array as a whole, as `serialize` writes it.
    Whole,
}

const NAME_MAX: usize = 127;

impl Format {
    /// The format with this name in `session.serialize_handler`.
    pub fn find(name: &[u8]) -> Option<Format> {
        match name {
            b"php" => Some(Format::Php),
            b"php_binary" => Some(Format::Binary),
            b"php_serialize" => Some(Format::Whole),
            _ => None,
        }
    }

    /// `None`: a name does not fit, or nothing was written.
    pub fn encode(self, voice: &Voice<'_>, variables: &PhpArr) -> PhpResult<Option<PhpStr>> {
        if self == Format::Whole {
            return Ok(Some(PhpStr::new(&serialize_value(voice.vm, &variables.clone().into())?)));
        }
        let mut names = Vec::new();
        let mut values = Vec::new();
        for (key, value) in variables.iter() {
            match key {
                Key::Int(number) => voice.warning(&format!("Skipping numeric key {number}"))?,
                Key::Str(name) if self == Format::Binary && name.len() > NAME_MAX => {}
                Key::Str(name) => {
                    names.push(name.clone());
                    values.push(value.clone());
                }
            }
        }
        let texts = serialize_each(voice.vm, |index| values.get(index).cloned())?;
        let mut out = Vec::new();
        for (name, text) in names.iter().zip(texts) {
            match self {
                Format::Php if name.contains(&b'|') => return Ok(None),
                Format::Php => out.extend([name.as_bytes(), b"|"].concat()),
                _ => {
                    out.push(name.len() as u8);
                    out.extend_from_slice(name);
                }
            }
            out.extend(text);
        }
        Ok((!out.is_empty()).then(|| PhpStr::new(&out)))
    }

    /// Adds the variables of a text; false when it is malformed.
    pub fn decode(self, voice: &Voice<'_>, text: &PhpStr) -> PhpResult<bool> {
        let session = voice.session();
        let mut values = Sequence::new(voice.vm, text, "session_decode");
        if self == Format::Whole {
            let read = values.next(0)?;
            values.finish()?;
            let good = read.is_some() || text.is_empty();
            let variables = read.and_then(|(value, _)| value.as_arr().cloned()).unwrap_or_default();
            session.track(voice.vm, variables);
            return Ok(good);
        }
        let mut good = true;
        let mut at = 0;
        while at < text.len() {
            let (name, start) = match self {
                Format::Php => match text[at..].iter().position(|&byte| byte == b'|') {
                    Some(length) => (&text[at..at + length], at + length + 1),
                    None => {
                        good = false;
                        break;
                    }
                },
                _ => {
                    let start = at + 1 + (text[at] & 0x7F) as usize;
                    match text.get(at + 1..start).filter(|_| start < text.len()) {
                        Some(name) => (name, start),
                        None => {
                            good = false;
                            break;
                        }
                    }
                }
            };
            let Some((value, end)) = values.next(start)? else {
                good = false;
                break;
            };
            set_variable(&session, name, value);
            at = end;
        }
        values.finish()?;
        Ok(good)
    }
}

fn set_variable(session: &crate::state::Session, name: &[u8], value: Val) {
    let Some(mut variables) = session.variables() else { return };
    if let Some(vars) = &*session.vars.borrow() {
        vars.slot().set(Val::NULL);
        variables.set_bytes(name, value);
        vars.slot().set(variables.into());
    }
}

//! Sources in encodings that the engine does not read itself (`zend.multibyte`), and their converter.

use crate::ini::{IniAccess, IniBool, IniString};
use crate::vm::{DataKey, Vm};
use phlox_hhbc::Unit;
use std::cell::Cell;

pub static MULTIBYTE: IniBool = IniBool::new("zend.multibyte", "0", IniAccess::PerDirOnly);

/// The encodings that sources may have. The setting cannot change while sources are not converted.
pub static SCRIPT_ENCODING: IniString = IniString::unset("zend.script_encoding", IniAccess::All)
    .on_change(|change| Ok(change.value.is_none() || change.vm.ini.get(&MULTIBYTE)));

/// Whether a byte order mark at the start of a source determines its encoding.
pub static DETECT_UNICODE: IniBool = IniBool::new("zend.detect_unicode", "1", IniAccess::All);

/// A converted source.
pub struct Recoded {
    pub source: Vec<u8>,
    /// Converts the unit's strings to what scripts shall see; `None` if they need no conversion.
    pub texts: Option<Box<dyn Fn(&[u8]) -> Vec<u8>>>,
}

/// Converts a source; `None` if it needs no conversion. The flag says that it comes from `eval`.
pub type Recoder = fn(&Vm, &[u8], bool) -> Option<Recoded>;

/// The installed converter, from the extension that knows encodings.
#[derive(Default)]
struct Installed(Cell<Option<Recoder>>);

static INSTALLED: DataKey<Installed> = DataKey::new();

/// Installs the converter of sources.
pub fn install(vm: &Vm, recoder: Recoder) {
    vm.keyed(&INSTALLED).0.set(Some(recoder));
}

/// The converted source, if the settings ask for a conversion.
pub fn recode(vm: &Vm, source: &[u8], is_eval: bool) -> Option<Recoded> {
    if !vm.ini.get(&MULTIBYTE) {
        return None;
    }
    vm.keyed(&INSTALLED).0.get().and_then(|recoder| recoder(vm, source, is_eval))
}

impl Recoded {
    /// Converts the strings of a unit that was compiled from the converted source.
    pub fn finish(&self, unit: &mut Unit) {
        if let Some(texts) = &self.texts {
            let convert = |text: &[u8]| if text.is_ascii() { text.to_vec() } else { texts(text) };
            unit.strings = unit.strings.iter().map(convert).collect();
        }
    }
}

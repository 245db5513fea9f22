//! Sources in other encodings than the engine reads (`zend.multibyte`): what converts them, and where it is kept.

use crate::ini::{IniAccess, IniBool, IniString};
use crate::vm::{DataKey, Vm};
use phlox_hhbc::Unit;
use std::cell::Cell;

pub static MULTIBYTE: IniBool = IniBool::new("zend.multibyte", "0", IniAccess::PerDirOnly);

/// The encodings that sources may have. It stays as it is where no source is converted.
pub static SCRIPT_ENCODING: IniString = IniString::unset("zend.script_encoding", IniAccess::All)
    .on_change(|change| Ok(change.value.is_none() || change.vm.ini.get(&MULTIBYTE)));

/// Marks at the beginning of a source tell its encoding.
pub static DETECT_UNICODE: IniBool = IniBool::new("zend.detect_unicode", "1", IniAccess::All);

/// A source as the compiler can read it.
pub struct Recoded {
    pub source: Vec<u8>,
    /// Makes the texts of the unit what scripts shall see; `None`: they are that already.
    pub texts: Option<Box<dyn Fn(&[u8]) -> Vec<u8>>>,
}

/// Converts a source; `None`: it can be read as it is. The flag: it comes from `eval`.
pub type Recoder = fn(&Vm, &[u8], bool) -> Option<Recoded>;

/// The converter of the extension that knows encodings.
#[derive(Default)]
struct Installed(Cell<Option<Recoder>>);

static INSTALLED: DataKey<Installed> = DataKey::new();

/// Makes `recoder` the converter of sources.
pub fn install(vm: &Vm, recoder: Recoder) {
    vm.keyed(&INSTALLED).0.set(Some(recoder));
}

/// The source in an encoding that can be read, if the settings ask for a conversion.
pub fn recode(vm: &Vm, source: &[u8], is_eval: bool) -> Option<Recoded> {
    if !vm.ini.get(&MULTIBYTE) {
        return None;
    }
    vm.keyed(&INSTALLED).0.get().and_then(|recoder| recoder(vm, source, is_eval))
}

impl Recoded {
    /// Finishes a unit that was compiled from the converted source.
    pub fn finish(&self, unit: &mut Unit) {
        if let Some(texts) = &self.texts {
            let convert = |text: &[u8]| if text.is_ascii() { text.to_vec() } else { texts(text) };
            unit.strings = unit.strings.iter().map(convert).collect();
        }
    }
}

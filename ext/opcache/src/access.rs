//! Who may ask OPcache's functions, and whether there is anything to ask.

use phlox_runtime::ini::{IniAccess, IniString};
use phlox_runtime::unit_store::ENABLE;
use phlox_runtime::{Level, PhpResult, Vm};

/// The extension's name.
pub const NAME: &str = "Zend OPcache";

/// How the paths of scripts begin that may ask the functions about the store.
pub static RESTRICT_API: IniString = IniString::new("opcache.restrict_api", "", IniAccess::System);

/// Whether the running script may ask; if not, a warning has been raised.
pub fn is_permitted(vm: &Vm) -> PhpResult<bool> {
    let beginning = vm.ini.get(&RESTRICT_API);
    let permitted = vm.script.borrow().starts_with(&beginning);
    if !permitted {
        let text = b"Zend OPcache API is restricted by \"restrict_api\" configuration directive";
        vm.raise(Level::Warning, text)?;
    }
    Ok(permitted)
}

/// Whether OPcache was on when the process started; what a script turns off is off in its request only.
pub fn has_started(vm: &Vm) -> bool {
    let text = vm.ini.state(&ENABLE).and_then(|state| state.original());
    text.is_some_and(|text| phlox_runtime::ini::text::bool(&text))
}

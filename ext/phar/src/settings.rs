//! The settings `phar.*`.

use phlox_runtime::PhpResult;
use phlox_runtime::ini::{self, IniAccess, IniBool, IniChange, IniStage, IniState, IniString};

/// Archives are not written.
pub static READONLY: IniBool = IniBool::new("phar.readonly", "1", IniAccess::All).on_change(stays_on);
/// Archives need a signature.
pub static REQUIRE_HASH: IniBool = IniBool::new("phar.require_hash", "1", IniAccess::All).on_change(stays_on);
/// Archives whose contents are kept between requests.
pub static CACHE_LIST: IniString = IniString::new("phar.cache_list", "", IniAccess::System);

/// A script cannot turn off a protection that the configuration has turned on.
fn stays_on(change: &IniChange<'_>) -> PhpResult<bool> {
    let state = change.vm.ini.state(change.setting);
    let configured = state.and_then(IniState::original).is_some_and(|text| ini::text::bool(&text));
    Ok(change.stage == IniStage::Startup || change.truth() || !configured)
}

//! The process among others: its title, its root, keys that processes agree on; and extensions, which are all built in.

use phlox_runtime::{Call, FnDef, PhpResult, PhpStr, Val, basedir};
use std::cell::RefCell;
use std::os::unix::fs::MetadataExt;

pub const FUNCTIONS: &[FnDef] = &[
    FnDef::new("ftok(string $filename, string $project_id): int", ftok),
    FnDef::new("chroot(string $directory): bool", chroot),
    FnDef::new("cli_set_process_title(string $title): bool", cli_set_process_title),
    FnDef::new("cli_get_process_title(): ?string", cli_get_process_title),
    FnDef::new("dl(string $extension_filename): bool", dl),
];

fn path(name: &[u8]) -> &std::path::Path {
    use std::os::unix::ffi::OsStrExt;
    std::path::Path::new(std::ffi::OsStr::from_bytes(name))
}

/// `ftok()`: the key that the C library computes from a file's device and inode and a letter.
fn ftok(call: &mut Call<'_>) -> PhpResult<Val> {
    let (name, project) = (call.path(0)?, call.str(1));
    if name.is_empty() {
        return Err(call.value_error(0, "must not be empty"));
    }
    let [letter] = project.as_bytes() else {
        return Err(call.value_error(1, "must be a single character"));
    };
    if !basedir::allows(call.vm, &name)? {
        return Ok(Val::int(-1));
    }
    match std::fs::metadata(path(&name)) {
        Ok(file) => {
            let key = u32::from(*letter) << 24 | ((file.dev() & 0xff) as u32) << 16 | (file.ino() & 0xffff) as u32;
            Ok(Val::int((key as i32).into()))
        }
        Err(error) => {
            let reason = crate::stream::plain::error_text(&error);
            call.warning(&format!("ftok() failed - {reason}"))?;
            Ok(Val::int(-1))
        }
    }
}

fn chroot(call: &mut Call<'_>) -> PhpResult<Val> {
    let name = call.path(0)?;
    let changed = rustix::process::chroot(path(&name)).and_then(|()| rustix::process::chdir("/"));
    match changed {
        Ok(()) => Ok(Val::TRUE),
        Err(errno) => {
            let reason = crate::stream::plain::error_text(&errno.into());
            call.warning(&format!("{reason} (errno {})", errno.raw_os_error()))?;
            Ok(Val::FALSE)
        }
    }
}

/// The title that the script gave the process.
#[derive(Default)]
struct Title(RefCell<Option<PhpStr>>);

fn cli_set_process_title(call: &mut Call<'_>) -> PhpResult<Val> {
    let title = call.str(0);
    // The system keeps the first 15 bytes.
    let shown: Vec<u8> = title.iter().copied().take_while(|&byte| byte != 0).take(15).collect();
    let named = std::ffi::CString::new(shown).is_ok_and(|shown| rustix::thread::set_name(&shown).is_ok());
    *call.vm.data::<Title>("process title").0.borrow_mut() = Some(title);
    Ok(named.into())
}

fn cli_get_process_title(call: &mut Call<'_>) -> PhpResult<Val> {
    let title = call.vm.data::<Title>("process title").0.borrow().clone();
    Ok(title.unwrap_or_else(PhpStr::empty).into())
}

fn dl(call: &mut Call<'_>) -> PhpResult<Val> {
    call.warning("Dynamically loaded extensions aren't enabled")?;
    Ok(Val::FALSE)
}

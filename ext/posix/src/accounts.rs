//! Users and groups.
use crate::{answer, done, remember};
use nix::unistd::{self, Gid, Group, Uid, User};
use phlox_runtime::{Call, PhpArr, PhpResult, Val};
use std::os::unix::ffi::OsStrExt;

fn show_user(user: &User) -> Val {
    let mut array = PhpArr::new();
    array.set_bytes(b"name", Val::str(user.name.as_bytes()));
    array.set_bytes(b"passwd", Val::str(user.passwd.as_bytes()));
    array.set_bytes(b"uid", Val::int(user.uid.as_raw().into()));
    array.set_bytes(b"gid", Val::int(user.gid.as_raw().into()));
    array.set_bytes(b"gecos", Val::str(user.gecos.as_bytes()));
    array.set_bytes(b"dir", Val::str(user.dir.as_os_str().as_bytes()));
    array.set_bytes(b"shell", Val::str(user.shell.as_os_str().as_bytes()));
    array.into()
}

fn show_group(group: &Group) -> Val {
    let mut array = PhpArr::new();
    array.set_bytes(b"name", Val::str(group.name.as_bytes()));
    array.set_bytes(b"passwd", Val::str(group.passwd.as_bytes()));
    array.set_bytes(b"members", group.mem.iter().map(|name| Val::str(name.as_bytes())).collect::<PhpArr>().into());
    array.set_bytes(b"gid", Val::int(group.gid.as_raw().into()));
    array.into()
}

/// An account that does not exist is no error: the last error becomes 0.
fn account<T>(call: &Call<'_>, found: nix::Result<Option<T>>, show: impl FnOnce(&T) -> Val) -> PhpResult<Val> {
    Ok(match found {
        Ok(Some(account)) => show(&account),
        Ok(None) => {
            remember(call, nix::errno::Errno::from_raw(0));
            Val::FALSE
        }
        Err(error) => {
            remember(call, error);
            Val::FALSE
        }
    })
}

pub fn posix_getpwnam(call: &mut Call<'_>) -> PhpResult<Val> {
    let name = call.str(0);
    account(call, User::from_name(&String::from_utf8_lossy(&name)), show_user)
}

pub fn posix_getpwuid(call: &mut Call<'_>) -> PhpResult<Val> {
    account(call, User::from_uid(Uid::from_raw(call.int(0) as u32)), show_user)
}

pub fn posix_getgrnam(call: &mut Call<'_>) -> PhpResult<Val> {
    let name = call.str(0);
    account(call, Group::from_name(&String::from_utf8_lossy(&name)), show_group)
}

pub fn posix_getgrgid(call: &mut Call<'_>) -> PhpResult<Val> {
    account(call, Group::from_gid(Gid::from_raw(call.int(0) as u32)), show_group)
}

pub fn posix_getgroups(call: &mut Call<'_>) -> PhpResult<Val> {
    answer(call, unistd::getgroups(), |groups| {
        groups.into_iter().map(|group| Val::int(group.as_raw().into())).collect::<PhpArr>().into()
    })
}

/// Who logged in, as the kernel remembers it.
pub fn posix_getlogin(call: &mut Call<'_>) -> PhpResult<Val> {
    let login = || {
        let uid = std::fs::read_to_string("/proc/self/loginuid").ok()?.trim().parse().ok()?;
        User::from_uid(Uid::from_raw(uid)).ok()?
    };
    answer(call, login().ok_or(nix::errno::Errno::ENXIO), |user| Val::str(user.name.as_bytes()))
}

pub fn posix_initgroups(call: &mut Call<'_>) -> PhpResult<Val> {
    let name = call.str(0);
    if name.is_empty() {
        return Ok(Val::FALSE);
    }
    let Ok(name) = std::ffi::CString::new(&name[..]) else { return Ok(Val::FALSE) };
    done(call, unistd::initgroups(&name, Gid::from_raw(call.int(1) as u32)))
}

//! Limits of processes, of the system and of files.
use crate::files::{Descriptor, descriptor};
use crate::{answer, done, remember};
use nix::errno::Errno;
use nix::sys::resource::{self, Resource};
use nix::unistd::{self, PathconfVar, SysconfVar};
use phlox_runtime::{Call, PhpArr, PhpResult, Val};

/// In the order in which `posix_getrlimit` lists them.
const LISTED: [(&str, Resource); 10] = [
    ("core", Resource::RLIMIT_CORE),
    ("data", Resource::RLIMIT_DATA),
    ("stack", Resource::RLIMIT_STACK),
    ("totalmem", Resource::RLIMIT_AS),
    ("rss", Resource::RLIMIT_RSS),
    ("maxproc", Resource::RLIMIT_NPROC),
    ("memlock", Resource::RLIMIT_MEMLOCK),
    ("cpu", Resource::RLIMIT_CPU),
    ("filesize", Resource::RLIMIT_FSIZE),
    ("openfiles", Resource::RLIMIT_NOFILE),
];

const UNLISTED: [Resource; 6] = [
    Resource::RLIMIT_LOCKS,
    Resource::RLIMIT_MSGQUEUE,
    Resource::RLIMIT_NICE,
    Resource::RLIMIT_RTPRIO,
    Resource::RLIMIT_RTTIME,
    Resource::RLIMIT_SIGPENDING,
];

fn find(number: i64) -> nix::Result<Resource> {
    let all = LISTED.iter().map(|(_, resource)| *resource).chain(UNLISTED);
    all.into_iter().find(|resource| *resource as i64 == number).ok_or(Errno::EINVAL)
}

fn show(limit: u64) -> Val {
    if limit == resource::RLIM_INFINITY { Val::str(b"unlimited") } else { Val::int(limit as i64) }
}

pub fn posix_getrlimit(call: &mut Call<'_>) -> PhpResult<Val> {
    if let Some(number) = call.opt_int(0) {
        let limits = find(number).and_then(resource::getrlimit);
        return answer(call, limits, |(soft, hard)| [show(soft), show(hard)].into_iter().collect::<PhpArr>().into());
    }
    let mut array = PhpArr::new();
    for (name, resource) in &LISTED {
        match resource::getrlimit(*resource) {
            Ok((soft, hard)) => {
                array.set_bytes(format!("soft {name}").as_bytes(), show(soft));
                array.set_bytes(format!("hard {name}").as_bytes(), show(hard));
            }
            Err(error) => {
                remember(call, error);
                return Ok(Val::FALSE);
            }
        }
    }
    Ok(array.into())
}

pub fn posix_setrlimit(call: &mut Call<'_>) -> PhpResult<Val> {
    let (soft, hard) = (call.int(1) as u64, call.int(2) as u64);
    let resource = find(call.int(0));
    // All limits are put back together, whichever the script changes.
    call.vm.before_change("limits", || {
        let all = LISTED.iter().map(|(_, limit)| *limit).chain(UNLISTED);
        let before: Vec<_> = all.filter_map(|limit| Some((limit, resource::getrlimit(limit).ok()?))).collect();
        // Only a privileged process may raise a hard limit again.
        Box::new(move || {
            before.into_iter().for_each(|(limit, (soft, hard))| _ = resource::setrlimit(limit, soft, hard))
        })
    });
    done(call, resource.and_then(|resource| resource::setrlimit(resource, soft, hard)))
}

pub fn posix_sysconf(call: &mut Call<'_>) -> PhpResult<Val> {
    let known = [
        SysconfVar::ARG_MAX,
        SysconfVar::CHILD_MAX,
        SysconfVar::CLK_TCK,
        SysconfVar::OPEN_MAX,
        SysconfVar::PAGE_SIZE,
        SysconfVar::_NPROCESSORS_CONF,
        SysconfVar::_NPROCESSORS_ONLN,
    ];
    let name = known.into_iter().find(|name| *name as i32 == call.int(0) as i32);
    let value = name.and_then(|name| unistd::sysconf(name).ok().flatten());
    Ok(Val::int(value.unwrap_or(-1)))
}

fn path_variable(number: i64) -> nix::Result<PathconfVar> {
    let known = [
        PathconfVar::LINK_MAX,
        PathconfVar::MAX_CANON,
        PathconfVar::MAX_INPUT,
        PathconfVar::NAME_MAX,
        PathconfVar::PATH_MAX,
        PathconfVar::PIPE_BUF,
        PathconfVar::_POSIX_CHOWN_RESTRICTED,
        PathconfVar::_POSIX_NO_TRUNC,
        PathconfVar::POSIX_ALLOC_SIZE_MIN,
        PathconfVar::SYMLINK_MAX,
    ];
    known.into_iter().find(|name| *name as i64 == number).ok_or(Errno::EINVAL)
}

pub fn posix_pathconf(call: &mut Call<'_>) -> PhpResult<Val> {
    let path = call.path(0)?;
    if path.is_empty() {
        return Err(call.value_error(0, "must not be empty"));
    }
    if !phlox_runtime::basedir::allows(call.vm, &path)? {
        call.warning(&format!("Invalid path supplied: {}", phlox_runtime::shown(&path)))?;
        return Ok(Val::FALSE);
    }
    let value = path_variable(call.int(1)).and_then(|name| unistd::pathconf(&path[..], name));
    answer(call, value, |value| Val::int(value.unwrap_or(-1)))
}

pub fn posix_fpathconf(call: &mut Call<'_>) -> PhpResult<Val> {
    let file = match descriptor(call, 0)? {
        Descriptor::File(file) => Ok(file),
        Descriptor::Number(number) => Descriptor::open(number),
        Descriptor::Unusable => return Ok(Val::FALSE),
        Descriptor::Mistyped(message) => return Err(call.type_error(0, &message)),
    };
    let value = file.and_then(|file| unistd::fpathconf(file, path_variable(call.int(1))?));
    answer(call, value, |value| Val::int(value.unwrap_or(-1)))
}

//! Users and groups, by name or by number.

use crate::config::{Pool, Refused};
use crate::{error, notice, system_error};
use nix::errno::Errno;
use nix::unistd::{Gid, Group, Uid, User};

/// The longest path of a Unix socket, with the zero behind it.
pub const SOCKET_PATH_MAX: usize = 108;

/// Whether the manager runs as root.
pub fn is_root() -> bool {
    Uid::effective().is_root()
}

fn is_number(name: &str) -> bool {
    name.bytes().all(|byte| byte.is_ascii_digit())
}

/// A number that is too large for an id stands for the largest.
fn number(name: &str) -> u32 {
    name.parse().unwrap_or(if name.is_empty() { 0 } else { u32::MAX })
}

fn user(pool: &str, name: &str) -> Result<User, Refused> {
    User::from_name(name).ok().flatten().ok_or_else(|| {
        error!("[pool {pool}] cannot get uid for user '{name}'");
        Refused
    })
}

fn group(pool: &str, name: &str) -> Result<Group, Refused> {
    Group::from_name(name).ok().flatten().ok_or_else(|| {
        error!("[pool {pool}] cannot get gid for group '{name}'");
        Refused
    })
}

/// The owner of a socket, of whom php-fpm also tells what the system says.
fn socket_user(pool: &str, name: &str) -> Result<User, Refused> {
    let found = User::from_name(name);
    let failure = found.as_ref().err().copied().unwrap_or(Errno::from_raw(0));
    found.ok().flatten().ok_or_else(|| {
        system_error!(failure as i32, "[pool {pool}] cannot get uid for user '{name}'");
        Refused
    })
}

/// The group of a socket, likewise.
fn socket_group(pool: &str, name: &str) -> Result<Group, Refused> {
    let found = Group::from_name(name);
    let failure = found.as_ref().err().copied().unwrap_or(Errno::from_raw(0));
    found.ok().flatten().ok_or_else(|| {
        system_error!(failure as i32, "[pool {pool}] cannot get gid for group '{name}'");
        Refused
    })
}

/// Checks that the users and groups of a pool exist, and that its address is not too long.
///
/// # Errors
/// If something is wrong, which the log says.
pub fn check(pool: &Pool) -> Result<(), Refused> {
    let name = &pool.name;
    let word = |text: &Option<String>| text.clone().filter(|text| !is_number(text));
    word(&pool.user).map_or(Ok(()), |text| user(name, &text).map(drop))?;
    word(&pool.group).map_or(Ok(()), |text| group(name, &text).map(drop))?;
    let address = pool.listen.as_deref().unwrap_or_default();
    if !pool.is_tcp() && address.len() >= SOCKET_PATH_MAX {
        let (found, most) = (address.len(), SOCKET_PATH_MAX);
        system_error!(
            0,
            "[pool {name}] cannot bind to UNIX socket '{address}' as path is too long (found length: {found}, maximal \
             length: {most})"
        );
        return Err(Refused);
    }
    word(&pool.listen_owner).map_or(Ok(()), |text| socket_user(name, &text).map(drop))?;
    word(&pool.listen_group).map_or(Ok(()), |text| socket_group(name, &text).map(drop))
}

/// Who a pool's workers are.
#[derive(Clone, Debug, Default)]
pub struct Account {
    pub uid: Option<Uid>,
    pub gid: Option<Gid>,
    /// The user's name, for the groups that it is in.
    pub login: Option<String>,
    /// What the variables USER and HOME are set to.
    pub user: Option<String>,
    pub home: Option<String>,
}

impl Account {
    /// Finds out who the workers of a pool are to be.
    ///
    /// # Errors
    /// If there is no such account, which the log says.
    pub fn of(pool: &Pool, allows_root: bool) -> Result<Account, Refused> {
        if is_root() { Account::chosen(pool, allows_root) } else { Ok(Account::own(pool)) }
    }

    fn chosen(pool: &Pool, allows_root: bool) -> Result<Account, Refused> {
        let mut account = Account::default();
        if let Some(name) = pool.user.as_deref().filter(|name| !name.is_empty()) {
            if is_number(name) {
                let uid = Uid::from_raw(number(name));
                account.uid = Some(uid);
                if let Ok(Some(user)) = User::from_uid(uid) {
                    account.gid = Some(user.gid);
                    account.login = Some(user.name);
                }
            } else {
                let user = user(&pool.name, name)?;
                account.uid = Some(user.uid);
                account.gid = Some(user.gid);
                account.home = Some(user.dir.to_string_lossy().into_owned());
                account.login = Some(user.name.clone());
                account.user = Some(user.name);
            }
        }
        if let Some(name) = pool.group.as_deref().filter(|name| !name.is_empty()) {
            account.gid =
                Some(if is_number(name) { Gid::from_raw(number(name)) } else { group(&pool.name, name)?.gid });
        }
        let is_safe = account.uid.is_some_and(|uid| !uid.is_root()) && account.gid.is_some_and(|gid| gid.as_raw() != 0);
        if !allows_root && !is_safe {
            error!("[pool {}] please specify user and group other than root", pool.name);
            return Err(Refused);
        }
        Ok(account)
    }

    /// The manager's own account: it cannot take another.
    fn own(pool: &Pool) -> Account {
        let name = &pool.name;
        let is_given = |text: &Option<String>| text.as_deref().is_some_and(|text| !text.is_empty());
        for (directive, is_set) in [
            ("user", is_given(&pool.user)),
            ("group", is_given(&pool.group)),
            ("chroot", is_given(&pool.chroot)),
            ("process.priority", pool.process_priority.0.is_some()),
        ] {
            if is_set {
                notice!("[pool {name}] '{directive}' directive is ignored when FPM is not running as root");
            }
        }
        let user = User::from_uid(Uid::current()).ok().flatten();
        Account {
            user: user.as_ref().map(|user| user.name.clone()),
            home: user.map(|user| user.dir.to_string_lossy().into_owned()),
            ..Account::default()
        }
    }

    /// The owner and group that a pool's Unix socket gets, where they are configured.
    ///
    /// # Errors
    /// If there is no such account, which the log says.
    pub fn of_socket(pool: &Pool) -> Result<(Option<Uid>, Option<Gid>), Refused> {
        let (mut uid, mut gid) = (None, None);
        if let Some(name) = pool.listen_owner.as_deref().filter(|name| !name.is_empty()) {
            if is_number(name) {
                uid = Some(Uid::from_raw(number(name)));
            } else {
                let user = socket_user(&pool.name, name)?;
                (uid, gid) = (Some(user.uid), Some(user.gid));
            }
        }
        if let Some(name) = pool.listen_group.as_deref().filter(|name| !name.is_empty()) {
            let is_number = is_number(name);
            gid = Some(if is_number { Gid::from_raw(number(name)) } else { socket_group(&pool.name, name)?.gid });
        }
        Ok((uid, gid))
    }

    /// The users and groups that `listen.acl_users` and `listen.acl_groups` name.
    ///
    /// # Errors
    /// If there is no such account, which the log says.
    pub fn in_acl(pool: &Pool) -> Result<(Vec<u32>, Vec<u32>), Refused> {
        let names = |list: &Option<String>| -> Vec<String> {
            list.as_deref()
                .filter(|list| !list.is_empty())
                .map(|list| list.split(',').map(str::to_owned).collect())
                .unwrap_or_default()
        };
        let users = names(&pool.listen_acl_users);
        let users =
            users.iter().map(|name| Ok(user(&pool.name, name)?.uid.as_raw())).collect::<Result<_, Refused>>()?;
        let groups = names(&pool.listen_acl_groups);
        let groups =
            groups.iter().map(|name| Ok(group(&pool.name, name)?.gid.as_raw())).collect::<Result<_, Refused>>()?;
        Ok((users, groups))
    }
}

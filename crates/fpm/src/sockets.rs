//! The listening sockets of all pools. When the program is executed anew, they stay open, and variables of the environment tell their
//! numbers.

use crate::accounts::{Account, SOCKET_PATH_MAX};
use crate::config::table::is_tcp;
use crate::config::{Pool, Refused};
use crate::log::{self, Level};
use crate::{debug, error, notice, system_error, warning};
use phlox_process::inherited_listener;
use rustix::fs::Mode;
use rustix::io::Errno;
use rustix::net::{AddressFamily, SocketAddrUnix, SocketType, bind, connect, listen, socket, sockopt};
use std::net::{SocketAddr, ToSocketAddrs};
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};

/// Sockets that one variable of the environment tells of.
const IN_VARIABLE: usize = 128;
/// The most variables.
const VARIABLES: usize = 256;

fn variable(number: usize) -> String {
    if number == 0 { "FPM_SOCKETS".to_owned() } else { format!("FPM_SOCKETS_{number}") }
}

struct Listening {
    /// The number that a pool knows it by.
    number: usize,
    /// The address: of a TCP port as `HOST:PORT`, else the path.
    key: String,
    socket: OwnedFd,
    is_used: bool,
}

/// All listening sockets.
#[derive(Default)]
pub struct Sockets {
    all: Vec<Listening>,
    next: usize,
}

fn key(address: &SocketAddr) -> String {
    format!("{}:{}", address.ip(), address.port())
}

impl Sockets {
    /// Takes over the sockets that the program had before it was executed anew.
    pub fn inherit(&mut self) {
        for number in 0..VARIABLES {
            let Ok(list) = std::env::var(variable(number)) else { return };
            for (key, number) in list.split(',').filter_map(|pair| pair.split_once('=')) {
                let Ok(number) = number.parse() else { continue };
                notice!("using inherited socket fd={number}, \"{key}\"");
                match inherited_listener(number) {
                    Some(socket) => self.push(key.to_owned(), socket, false),
                    None => warning!("there is no listening socket fd={number}"),
                }
            }
        }
    }

    fn push(&mut self, key: String, socket: OwnedFd, is_used: bool) {
        self.all.push(Listening { number: self.next, key, socket, is_used });
        self.next += 1;
    }

    /// The socket with this number; `None` if it has been closed.
    pub fn get(&self, number: usize) -> Option<BorrowedFd<'_>> {
        self.all.iter().find(|listening| listening.number == number).map(|listening| listening.socket.as_fd())
    }

    /// Closes the inherited sockets that no pool uses any more.
    pub fn close_unused(&mut self) {
        for unused in self.all.extract_if(.., |listening| !listening.is_used) {
            remove(&unused.key);
        }
    }

    /// Removes the files of the Unix sockets, at the end of the program.
    pub fn remove_files(&self) {
        self.all.iter().for_each(|listening| remove(&listening.key));
    }

    /// The variables for the program that is executed anew; with `None` they are to be removed.
    pub fn variables(&self) -> Vec<(String, Option<String>)> {
        let pair = |listening: &Listening| format!("{}={}", listening.key, listening.socket.as_raw_fd());
        let lists = self.all.chunks(IN_VARIABLE).map(|part| part.iter().map(pair).collect::<Vec<_>>().join(","));
        let mut variables: Vec<_> = lists.enumerate().map(|(number, list)| (variable(number), Some(list))).collect();
        variables.push((variable(variables.len()), None));
        variables
    }

    /// Opens the socket of a pool, or finds it among those that are open; gives its number.
    ///
    /// # Errors
    /// If the pool cannot listen, which the log says.
    pub fn open(&mut self, pool: &Pool) -> Result<usize, Refused> {
        if pool.is_tcp() { self.open_tcp(pool) } else { self.open_unix(pool) }
    }

    fn find(&mut self, key: &str) -> Option<usize> {
        let listening = self.all.iter_mut().find(|listening| listening.key == key)?;
        listening.is_used = true;
        Some(listening.number)
    }

    fn add(&mut self, key: String, socket: OwnedFd) -> usize {
        self.push(key, socket, true);
        self.next - 1
    }

    fn open_tcp(&mut self, pool: &Pool) -> Result<usize, Refused> {
        let address = pool.listen.as_deref().unwrap_or_default();
        let (host, port_text) = match address.rsplit_once(':') {
            Some((host, port)) => (Some(host), port),
            None => (None, address),
        };
        let digits = port_text.find(|c: char| !c.is_ascii_digit()).unwrap_or(port_text.len());
        let port = port_text[..digits].parse::<u16>().ok().filter(|&port| port > 0);
        let Some(port) = port else {
            error!("invalid port value '{port_text}'");
            return Err(Refused);
        };
        if let Some(host) = host {
            let host = host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).unwrap_or(host);
            return self.open_host(pool, host, port);
        }
        // The IPv6 address takes connections to IPv4's, too. That it is not to be had is no mistake.
        let level = log::set_level(Level::Alert);
        let result = self.open_host(pool, "::", port);
        log::set_level(level);
        result.or_else(|_| {
            notice!("Failed implicitly binding to ::, retrying with 0.0.0.0");
            self.open_host(pool, "0.0.0.0", port)
        })
    }

    fn open_host(&mut self, pool: &Pool, host: &str, port: u16) -> Result<usize, Refused> {
        let addresses = (host, port).to_socket_addrs().map_err(|failure| {
            let text = failure.to_string();
            error!("getaddrinfo: {}", text.rsplit_once("information: ").map_or(&text[..], |(_, reason)| reason));
            Refused
        })?;
        let mut opened = Err(Refused);
        for address in addresses {
            if opened.is_ok() {
                warning!("Found multiple addresses for {host}, {} ignored", address.ip());
                continue;
            }
            opened = self.find(&key(&address)).map_or_else(
                || {
                    let socket =
                        new_socket(if address.is_ipv4() { AddressFamily::INET } else { AddressFamily::INET6 })?;
                    bind(&socket, &address).map_err(|failure| cannot_bind(pool, failure))?;
                    start_listening(&socket, pool)?;
                    Ok(self.add(key(&address), socket))
                },
                Ok,
            );
            if opened.is_ok() {
                debug!("Found address for {host}, socket opened on {}", address.ip());
            }
        }
        opened
    }

    fn open_unix(&mut self, pool: &Pool) -> Result<usize, Refused> {
        let owner = Account::of_socket(pool)?;
        let acl = Account::in_acl(pool)?;
        let path = pool.listen.as_deref().unwrap_or_default();
        let name = &pool.name;
        let cut = cut(path);
        if cut.len() < path.len() {
            warning!(
                "[pool {name}] cannot bind to UNIX socket '{path}' as path is too long (found length: {}, maximal length: \
                 {SOCKET_PATH_MAX}), trying cut socket path instead '{cut}'",
                path.len()
            );
        }
        if let Some(number) = self.find(cut) {
            return Ok(number);
        }
        let address = SocketAddrUnix::new(cut).map_err(|failure| cannot_bind(pool, failure))?;
        let socket = new_socket(AddressFamily::UNIX)?;
        if new_socket(AddressFamily::UNIX).is_ok_and(|client| connect(&client, &address).is_ok()) {
            error!("Another FPM instance seems to already listen on {cut}");
            return Err(Refused);
        }
        // There may be no such file.
        let _ = std::fs::remove_file(cut);
        let mode = pool.listen_mode.as_deref().filter(|mode| !mode.is_empty()).map_or(0o660, octal);
        let mask = rustix::process::umask(Mode::from_raw_mode(0o777 ^ mode));
        let bound = bind(&socket, &address);
        rustix::process::umask(mask);
        bound.map_err(|failure| cannot_bind(pool, failure))?;
        if acl.0.is_empty() && acl.1.is_empty() {
            set_owner(pool, cut, owner)?;
        } else {
            set_acl(pool, cut, mode, acl)?;
        }
        start_listening(&socket, pool)?;
        Ok(self.add(cut.to_owned(), socket))
    }
}

/// As much of a path as an address has room for, with whole characters.
fn cut(path: &str) -> &str {
    let mut end = path.len().min(SOCKET_PATH_MAX - 1);
    while !path.is_char_boundary(end) {
        end -= 1;
    }
    &path[..end]
}

fn octal(text: &str) -> u32 {
    let digits = text.find(|c: char| !('0'..='7').contains(&c)).unwrap_or(text.len());
    u32::from_str_radix(&text[..digits], 8).unwrap_or(0) & 0o777
}

fn remove(key: &str) {
    if !is_tcp(key) {
        // Somebody else may have removed it.
        let _ = std::fs::remove_file(key);
    }
}

fn new_socket(family: AddressFamily) -> Result<OwnedFd, Refused> {
    let socket = socket(family, SocketType::STREAM, None).map_err(|failure| {
        system_error!(failure, "failed to create new listening socket: socket()");
        Refused
    })?;
    if sockopt::set_socket_reuseaddr(&socket, true).is_err() {
        warning!("failed to change socket attribute");
    }
    Ok(socket)
}

fn cannot_bind(pool: &Pool, failure: Errno) -> Refused {
    let address = pool.listen.as_deref().unwrap_or_default();
    system_error!(failure, "unable to bind listening socket for address '{address}'");
    Refused
}

fn start_listening(socket: &OwnedFd, pool: &Pool) -> Result<(), Refused> {
    listen(socket, pool.listen_backlog).map_err(|failure| {
        system_error!(failure, "failed to listen to address '{}'", pool.listen.as_deref().unwrap_or_default());
        Refused
    })
}

fn set_owner(
    pool: &Pool,
    path: &str,
    (uid, gid): (Option<nix::unistd::Uid>, Option<nix::unistd::Gid>),
) -> Result<(), Refused> {
    if uid.is_none() && gid.is_none() {
        return Ok(());
    }
    nix::unistd::chown(path, uid, gid).map_err(|failure| {
        let address = pool.listen.as_deref().unwrap_or_default();
        system_error!(failure, "[pool {}] failed to chown() the socket '{address}'", pool.name);
        Refused
    })
}

/// Lets users and groups connect to a socket, by an access list in the form that Linux stores it in.
fn set_acl(pool: &Pool, path: &str, mode: u32, (mut users, mut groups): (Vec<u32>, Vec<u32>)) -> Result<(), Refused> {
    const READ_WRITE: u32 = 6;
    const NOBODY: u32 = u32::MAX;
    for (directive, value) in [("listen.owner", &pool.listen_owner), ("listen.group", &pool.listen_group)] {
        if let Some(value) = value.as_deref().filter(|value| !value.is_empty()) {
            warning!("[pool {}] ACL set, {directive} = '{value}' is ignored", pool.name);
        }
    }
    for ids in [&mut users, &mut groups] {
        ids.sort_unstable();
        ids.dedup();
    }
    let group_mode = mode >> 3 & 7;
    let mut entries = vec![(1u16, mode >> 6 & 7, NOBODY)];
    entries.extend(users.iter().map(|&id| (2, READ_WRITE, id)));
    entries.push((4, group_mode, NOBODY));
    entries.extend(groups.iter().map(|&id| (8, READ_WRITE, id)));
    entries.extend([(16, group_mode | READ_WRITE, NOBODY), (32, mode & 7, NOBODY)]);
    let mut list = 2u32.to_le_bytes().to_vec();
    for (tag, permissions, id) in entries {
        list.extend(tag.to_le_bytes());
        list.extend((permissions as u16).to_le_bytes());
        list.extend(id.to_le_bytes());
    }
    let flags = rustix::fs::XattrFlags::empty();
    rustix::fs::setxattr(path, "system.posix_acl_access", &list, flags).map_err(|failure| {
        system_error!(failure, "[pool {}] failed to write the ACL of the socket '{path}'", pool.name);
        Refused
    })
}

//! What must hold of a configuration, in the order in which the first mistake is told, and what follows from other values.

use super::table::{GLOBAL, POOL};
use super::value::{Interval, Manager};
use super::{Configuration, PREFIX, Pool, Refused, STATE_FOLDER};
use crate::log::{self, Facility, LIMIT_MIN, Level, Place};
use crate::{accounts, alert, error, notice, system_error, warning};
use std::fs::{File, OpenOptions};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

/// Settings of PHP whose values are paths.
const PATHS_OF_PHP: &[&str] = &[
    "error_log",
    "extension_dir",
    "sendmail_path",
    "session.cookie_path",
    "session_pgsql.sem_file_name",
    "soap.wsdl_cache_dir",
    "uploadprogress.file.filename_template",
    "xdebug.output_dir",
    "xdebug.profiler_output_dir",
    "xdebug.trace_output_dir",
    "xmms.path",
    "axis2.client_home",
    "blenc.key_file",
    "coin_acceptor.device",
];

fn is_folder(path: &str) -> bool {
    Path::new(path).is_dir()
}

fn given(text: &Option<String>) -> Option<&str> {
    text.as_deref().filter(|text| !text.is_empty())
}

/// Opens a log to write at its end.
pub fn open_log(path: &str) -> std::io::Result<File> {
    OpenOptions::new().append(true).create(true).mode(0o600).open(path)
}

impl Configuration {
    /// Checks the section `[global]` and completes it, without the log's file, which the caller opens then.
    ///
    /// # Errors
    /// If something is wrong, which the log says.
    pub fn check_global(&mut self, daemonizes: Option<bool>) -> Result<(), Refused> {
        if let Some(pid) = self.global.pid.take() {
            self.global.pid = Some(self.full_path(&pid, None, STATE_FOLDER));
        }
        if let Some(daemonizes) = daemonizes {
            self.global.daemonize = daemonizes;
        }
        let global = &mut self.global;
        log::set_level(global.log_level.unwrap_or(Level::Notice));
        if global.log_limit < LIMIT_MIN {
            error!("log_limit must be greater than {LIMIT_MIN}");
            return Err(Refused);
        }
        log::set_limits(global.log_limit as usize, global.log_buffering);
        if global.process_max < 0 {
            error!("process_max can't be negative");
            return Err(Refused);
        }
        if !global.process_priority.is_valid() {
            error!("process.priority must be included into [-19,20]");
            return Err(Refused);
        }
        global.syslog_ident.get_or_insert_with(|| "php-fpm".to_owned());
        global.syslog_facility.get_or_insert(Facility::DAEMON);
        global.systemd_interval = Interval(Some(global.systemd_interval.0.unwrap_or(Interval::DEFAULT)));
        let error_log = global.error_log.take().unwrap_or_else(|| "log/php-fpm.log".to_owned());
        let is_system = error_log.eq_ignore_ascii_case("syslog");
        self.global.error_log =
            Some(if is_system { error_log } else { self.full_path(&error_log, None, STATE_FOLDER) });
        Ok(())
    }

    /// Opens the place that `error_log` names.
    ///
    /// # Errors
    /// If the file cannot be opened, which the log says.
    pub fn error_log(&self) -> Result<Place, Refused> {
        let path = self.global.error_log.as_deref().unwrap_or_default();
        if path.eq_ignore_ascii_case("syslog") {
            let name = self.global.syslog_ident.as_deref().unwrap_or_default();
            return Ok(Place::System(log::system_log(name, self.global.syslog_facility.unwrap_or(Facility::DAEMON))));
        }
        let file = open_log(path).map_err(|failure| {
            system_error!(failure, "failed to open error_log ({path})");
            Refused
        })?;
        Ok(Place::File(file, matches!(path, "/dev/stderr" | "/proc/self/fd/2")))
    }

    /// Checks the pools and completes them.
    ///
    /// # Errors
    /// If something is wrong, which the log says.
    pub fn check_pools(&mut self, allows_root: bool) -> Result<(), Refused> {
        if !self.global.events_mechanism.is_available() {
            let name = self.global.events_mechanism.0.as_deref().unwrap_or_default();
            error!("event mechanism '{name}' is not available on this system");
            return Err(Refused);
        }
        if self.pools.is_empty() {
            error!("No pool defined. at least one pool section must be specified in config file");
            return Err(Refused);
        }
        // Pools for status pages are added on the way.
        let mut number = 0;
        while number < self.pools.len() {
            let mut pool = std::mem::take(&mut self.pools[number]);
            let status = self.check_pool(&mut pool, number, allows_root)?;
            self.pools[number] = pool;
            self.pools.extend(status);
            number += 1;
        }
        self.check_addresses()
    }

    fn check_addresses(&self) -> Result<(), Refused> {
        for (number, pool) in self.pools.iter().enumerate() {
            for (_, other) in self.pools.iter().enumerate().filter(|(place, _)| *place != number) {
                if pool.listen == other.listen {
                    let (name, first) = (&other.name, &pool.name);
                    error!("[pool {name}] unable to set listen address as it's already used in another pool '{first}'");
                    return Err(Refused);
                }
            }
        }
        Ok(())
    }

    /// Checks a pool; gives the pool that `pm.status_listen` asks for.
    fn check_pool(&mut self, pool: &mut Pool, number: usize, allows_root: bool) -> Result<Option<Pool>, Refused> {
        let name = pool.name.clone();
        self.check_place(pool, allows_root)?;
        if !pool.process_priority.is_valid() {
            error!("[pool {name}] process.priority must be included into [-19,20]");
            return Err(Refused);
        }
        self.check_manager(pool)?;
        let status = pool.status_listen.is_some().then(|| status_pool(pool, number));
        check_pages(pool)?;
        if let Some(log) = given(&pool.access_log) {
            let log = self.full_path(log, pool.prefix.as_deref(), PREFIX);
            pool.access_log = Some(log);
            pool.access_format.get_or_insert_with(|| "%R - %u %t \"%m %r\" %s".to_owned());
        }
        self.check_times(pool)?;
        self.check_folders(pool)?;
        pool.limit_extensions.get_or_insert_with(|| ".php .phar".to_owned());
        if pool.chroot.is_none() {
            self.complete_paths_of_php(pool);
        }
        Ok(status)
    }

    /// The prefix, the user, and the address.
    fn check_place(&self, pool: &mut Pool, allows_root: bool) -> Result<(), Refused> {
        let name = &pool.name;
        if let Some(prefix) = given(&pool.prefix) {
            let prefix = self.full_path(prefix, None, PREFIX);
            if !is_folder(&prefix) {
                error!("[pool {name}] the prefix '{prefix}' does not exist or is not a directory");
                return Err(Refused);
            }
            pool.prefix = Some(prefix);
        }
        if pool.user.is_none() && accounts::is_root() && !allows_root {
            alert!("[pool {name}] user has not been defined");
            return Err(Refused);
        }
        if given(&pool.listen).is_none() {
            alert!("[pool {name}] no listen address have been defined!");
            return Err(Refused);
        }
        if !pool.is_tcp() {
            let address = self.full_path(given(&pool.listen).unwrap_or_default(), pool.prefix.as_deref(), PREFIX);
            pool.listen = Some(address);
        }
        Ok(())
    }

    fn check_manager(&self, pool: &mut Pool) -> Result<(), Refused> {
        let name = &pool.name;
        if pool.manager == Manager::Undefined {
            alert!("[pool {name}] the process manager is missing (static, dynamic or ondemand)");
            return Err(Refused);
        }
        if pool.max_children < 1 {
            alert!("[pool {name}] pm.max_children must be a positive value");
            return Err(Refused);
        }
        if pool.manager == Manager::Dynamic {
            return check_dynamic(pool);
        }
        if pool.manager == Manager::OnDemand {
            if !self.global.events_mechanism.serves_on_demand() {
                alert!(
                    "[pool {name}] ondemand process manager can ONLY be used when events.mechanism is either epoll \
                     (Linux) or kqueue (*BSD)."
                );
                return Err(Refused);
            }
            let timeout = pool.process_idle_timeout.0;
            if timeout < 1 {
                alert!("[pool {name}] pm.process_idle_timeout({timeout}s) must be greater than 0s");
                return Err(Refused);
            }
            let backlog = pool.listen_backlog;
            if backlog < -1 {
                warning!(
                    "[pool {name}] listen.backlog({backlog}) was too low for the ondemand process manager. I updated it \
                     for you to -1."
                );
                pool.listen_backlog = -1;
            }
            (pool.start_servers, pool.min_spare_servers, pool.max_spare_servers) = (0, 0, 0);
        }
        Ok(())
    }

    /// Times of requests, and the log of slow ones.
    fn check_times(&mut self, pool: &mut Pool) -> Result<(), Refused> {
        let name = pool.name.clone();
        let terminate = pool.request_terminate_timeout.0;
        self.beat(terminate);
        if let Some(log) = given(&pool.slowlog) {
            let log = self.full_path(log, pool.prefix.as_deref(), PREFIX);
            pool.slowlog = Some(log);
        }
        let slow = pool.request_slowlog_timeout.0;
        if slow != 0 {
            let Some(path) = given(&pool.slowlog) else {
                error!("[pool {name}] 'slowlog' must be specified for use with 'request_slowlog_timeout'");
                return Err(Refused);
            };
            if let Err(failure) = open_log(path) {
                system_error!(failure, "Unable to create or open slowlog({path})");
                return Err(Refused);
            }
            self.beat(slow);
            if terminate != 0 && slow > terminate {
                error!(
                    "[pool {name}] 'request_slowlog_timeout' ({slow}) can't be greater than \
                     'request_terminate_timeout' ({terminate})"
                );
                return Err(Refused);
            }
        }
        let depth = pool.request_slowlog_trace_depth;
        if depth == 0 {
            pool.request_slowlog_trace_depth = 20;
        } else if given(&pool.slowlog).is_none() {
            error!("[pool {name}] 'slowlog' must be specified for use with 'request_slowlog_trace_depth'");
            return Err(Refused);
        } else if depth < 0 {
            error!("[pool {name}] 'request_slowlog_trace_depth' ({depth}) must be a positive value");
            return Err(Refused);
        }
        Ok(())
    }

    /// A limit of so many seconds is looked after three times in its span.
    fn beat(&mut self, seconds: i32) {
        let Some(span) = u64::try_from(seconds).ok().filter(|&seconds| seconds > 0).map(|seconds| seconds * 1000 / 3)
        else {
            return;
        };
        self.heartbeat = if self.heartbeat == 0 { span } else { self.heartbeat.min(span) };
    }

    fn check_folders(&self, pool: &mut Pool) -> Result<(), Refused> {
        let name = pool.name.clone();
        if let Some(root) = given(&pool.chroot) {
            let prefix = pool.prefix.as_deref();
            let full = match root.find("$prefix") {
                None => self.full_path(root, prefix, PREFIX),
                Some(0) => {
                    let rest = root["$prefix".len()..].to_owned();
                    self.full_path(&rest, prefix, PREFIX)
                }
                Some(_) => {
                    error!("'$prefix' must be use at the beginning of the value");
                    root.to_owned()
                }
            };
            if !full.starts_with('/') {
                error!("[pool {name}] the chroot path '{full}' must start with a '/'");
                return Err(Refused);
            }
            if !is_folder(&full) {
                error!("[pool {name}] the chroot path '{full}' does not exist or is not a directory");
                return Err(Refused);
            }
            pool.chroot = Some(full);
        }
        if let Some(folder) = given(&pool.chdir) {
            let folder = self.full_path(folder, pool.prefix.as_deref(), PREFIX);
            if !folder.starts_with('/') {
                error!("[pool {name}] the chdir path '{folder}' must start with a '/'");
                return Err(Refused);
            }
            match &pool.chroot {
                Some(root) => {
                    let inside = format!("{root}/{folder}");
                    if !is_folder(&inside) {
                        error!(
                            "[pool {name}] the chdir path '{folder}' within the chroot path '{root}' ('{inside}') does \
                             not exist or is not a directory"
                        );
                        return Err(Refused);
                    }
                }
                None if !is_folder(&folder) => {
                    error!("[pool {name}] the chdir path '{folder}' does not exist or is not a directory");
                    return Err(Refused);
                }
                None => {}
            }
            pool.chdir = Some(folder);
        }
        Ok(())
    }

    fn complete_paths_of_php(&self, pool: &mut Pool) {
        let prefix = pool.prefix.clone();
        for (list, is_admin) in [(&mut pool.values, false), (&mut pool.admin_values, true)] {
            for (key, value) in list {
                let is_path = PATHS_OF_PHP.iter().any(|path| path.as_bytes().eq_ignore_ascii_case(key));
                let is_system =
                    is_admin && key.eq_ignore_ascii_case(b"error_log") && value.eq_ignore_ascii_case(b"syslog");
                if is_path && !is_system && !value.starts_with(b"/") {
                    *value = self.full_path(&String::from_utf8_lossy(value), prefix.as_deref(), PREFIX).into_bytes();
                }
            }
        }
    }

    /// Checks what only starting would show: users, groups, and the length of addresses. For `-t`.
    ///
    /// # Errors
    /// If something is wrong, which the log says.
    pub fn check_accounts(&self) -> Result<(), Refused> {
        self.pools.iter().try_for_each(accounts::check)
    }

    /// Writes the whole configuration to the log.
    pub fn dump(&self) {
        notice!("[global]");
        for row in GLOBAL {
            notice!("\t{} = {}", row.name, (row.show)(&self.global));
        }
        notice!(" ");
        let shown = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        for pool in self.pools.iter().filter(|pool| pool.status_of.is_none()) {
            notice!("[{}]", pool.name);
            for row in POOL {
                notice!("\t{} = {}", row.name, (row.show)(pool));
                if row.name == "access.format" {
                    pool.suppressed.iter().for_each(|path| notice!("\taccess.suppress_path[] = {path}"));
                }
            }
            for (name, list) in
                [("env", &pool.environment), ("php_value", &pool.values), ("php_admin_value", &pool.admin_values)]
            {
                list.iter().for_each(|(key, value)| notice!("\t{name}[{}] = {}", shown(key), shown(value)));
            }
            notice!(" ");
        }
    }
}

fn check_dynamic(pool: &mut Pool) -> Result<(), Refused> {
    let name = &pool.name;
    let (least, most, all) = (pool.min_spare_servers, pool.max_spare_servers, pool.max_children);
    if least <= 0 {
        alert!("[pool {name}] pm.min_spare_servers({least}) must be a positive value");
        return Err(Refused);
    }
    if most <= 0 {
        alert!("[pool {name}] pm.max_spare_servers({most}) must be a positive value");
        return Err(Refused);
    }
    if least > all || most > all {
        alert!(
            "[pool {name}] pm.min_spare_servers({least}) and pm.max_spare_servers({most}) cannot be greater than \
             pm.max_children({all})"
        );
        return Err(Refused);
    }
    if most < least {
        alert!("[pool {name}] pm.max_spare_servers({most}) must not be less than pm.min_spare_servers({least})");
        return Err(Refused);
    }
    let start = pool.start_servers;
    if start <= 0 {
        pool.start_servers = least + (most - least) / 2;
        notice!("[pool {name}] pm.start_servers is not set. It's been set to {}.", pool.start_servers);
    } else if start < least || start > most {
        alert!(
            "[pool {name}] pm.start_servers({start}) must not be less than pm.min_spare_servers({least}) and not greater \
             than pm.max_spare_servers({most})"
        );
        return Err(Refused);
    }
    if pool.max_spawn_rate < 1 {
        alert!("[pool {name}] pm.max_spawn_rate must be a positive value");
        return Err(Refused);
    }
    Ok(())
}

/// Checks the paths of the pages that the manager itself answers.
fn check_pages(pool: &mut Pool) -> Result<(), Refused> {
    let name = &pool.name;
    let is_valid = |path: &str| path.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"/-_.~".contains(&byte));
    let check = |kind: &str, path: &str, may_be_root: bool| {
        if !path.starts_with('/') {
            error!("[pool {name}] the {kind} path '{path}' must start with a '/'");
        } else if path.len() < 2 && !may_be_root {
            error!("[pool {name}] the {kind} path '{path}' is not long enough");
        } else if !is_valid(path) {
            error!(
                "[pool {name}] the {kind} path '{path}' must contain only the following characters '[alphanum]/_-.~'"
            );
        } else {
            return Ok(());
        }
        Err(Refused)
    };
    if let Some(path) = given(&pool.status_path) {
        check("status", path, pool.status_listen.is_some() || pool.status_of.is_some())?;
    }
    match given(&pool.ping_path) {
        Some(path) => {
            check("ping", path, false)?;
            let response = pool.ping_response.get_or_insert_with(|| "pong".to_owned());
            if response.is_empty() {
                error!("[pool {name}] the ping response page '{response}' is not long enough");
                return Err(Refused);
            }
        }
        None => pool.ping_response = None,
    }
    Ok(())
}

/// The pool that serves the status page of another one at an address of its own.
fn status_pool(pool: &mut Pool, number: usize) -> Pool {
    pool.status_path.get_or_insert_with(|| "/".to_owned());
    Pool {
        name: format!("{}_status", pool.name),
        listen: pool.status_listen.clone(),
        manager: Manager::OnDemand,
        max_children: 2,
        status_of: Some(number),
        listen_acl_users: pool.listen_acl_users.clone(),
        listen_acl_groups: pool.listen_acl_groups.clone(),
        listen_allowed_clients: pool.listen_allowed_clients.clone(),
        listen_group: pool.listen_group.clone(),
        listen_owner: pool.listen_owner.clone(),
        listen_mode: pool.listen_mode.clone(),
        user: pool.user.clone(),
        group: pool.group.clone(),
        status_path: pool.status_path.clone(),
        ping_path: pool.ping_path.clone(),
        ping_response: pool.ping_response.clone(),
        values: pool.values.clone(),
        admin_values: pool.admin_values.clone(),
        ..Pool::default()
    }
}

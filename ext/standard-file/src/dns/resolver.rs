//! Asks name servers: those of `/etc/resolv.conf`, by UDP, or by TCP where the answer is too long.

use domain::base::iana::{Class, Rcode};
use domain::base::{Message, MessageBuilder, Name, Rtype};
use std::io::{self, Read, Write};
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpStream, UdpSocket};
use std::time::{Duration, Instant};

/// Why there is no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Failure {
    /// There is no such name.
    NotFound,
    /// The name has no such records.
    NoData,
    /// The server refuses, or the question makes no sense.
    Permanent,
    /// Nobody answers, or the server has a problem.
    Temporary,
}

pub(super) struct Resolver {
    pub servers: Vec<SocketAddr>,
    /// Domains that short names may be in.
    pub search: Vec<String>,
    /// Names with so many dots are looked up as they are first.
    pub dots: usize,
    pub timeout: Duration,
    pub attempts: u32,
}

/// The longest datagram that UDP can carry.
const UDP_MAX: usize = 65_535;

impl Resolver {
    /// As the system is set up. A file that is missing or damaged means a server on this machine.
    pub fn of_system() -> Resolver {
        const PORT: u16 = 53;
        let text = std::fs::read("/etc/resolv.conf").unwrap_or_default();
        let (config, _) = resolv_conf::Config::parse_with_errors(&text);
        let address = |server: &resolv_conf::ScopedIp| SocketAddr::new(IpAddr::from(server), PORT);
        let mut servers: Vec<SocketAddr> = config.nameservers.iter().take(3).map(address).collect();
        if servers.is_empty() {
            servers.push(SocketAddr::new(Ipv4Addr::LOCALHOST.into(), PORT));
        }
        Resolver {
            servers,
            search: config.get_last_search_or_domain().cloned().collect(),
            dots: config.ndots as usize,
            timeout: Duration::from_secs(config.timeout.clamp(1, 30).into()),
            attempts: config.attempts.clamp(1, 5),
        }
    }

    /// The answer for a name, also in the domains that are searched.
    pub fn search(&self, name: &[u8], kind: Rtype) -> Result<Message<Vec<u8>>, Failure> {
        let name = std::str::from_utf8(name).map_err(|_| Failure::Permanent)?;
        let dots = name.bytes().filter(|&byte| byte == b'.').count();
        let is_absolute = name.ends_with('.');
        let mut names: Vec<String> = Vec::new();
        if !is_absolute {
            names.extend(self.search.iter().map(|domain| format!("{name}.{domain}")));
        }
        let as_is = if is_absolute || dots >= self.dots { 0 } else { names.len() };
        names.insert(as_is, name.to_owned());
        let mut failure = None;
        for name in names {
            match self.query(&name, kind) {
                // A failure that shows that the name exists is kept over those for other domains.
                Err(Failure::NotFound) => _ = failure.get_or_insert(Failure::NotFound),
                Err(Failure::NoData) => failure = Some(Failure::NoData),
                found => return found,
            }
        }
        Err(failure.unwrap_or(Failure::NotFound))
    }

    fn query(&self, name: &str, kind: Rtype) -> Result<Message<Vec<u8>>, Failure> {
        let name = Name::<Vec<u8>>::from_chars(name.chars()).map_err(|_| Failure::Permanent)?;
        let mut builder = MessageBuilder::new_vec();
        let mut id = [0; 2];
        getrandom::fill(&mut id).map_err(|_| Failure::Temporary)?;
        builder.header_mut().set_id(u16::from_ne_bytes(id));
        builder.header_mut().set_rd(true);
        let mut question = builder.question();
        question.push((&name, kind, Class::IN)).map_err(|_| Failure::Permanent)?;
        let query = question.into_message();
        let mut failure = Failure::Temporary;
        for _ in 0..self.attempts {
            for &server in &self.servers {
                let Ok(answer) = self.ask(server, &query) else { continue };
                match answer.header().rcode() {
                    Rcode::NOERROR if answer.header_counts().ancount() == 0 => return Err(Failure::NoData),
                    Rcode::NOERROR => return Ok(answer),
                    Rcode::NXDOMAIN => return Err(Failure::NotFound),
                    Rcode::SERVFAIL => failure = Failure::Temporary,
                    _ => failure = Failure::Permanent,
                }
            }
        }
        Err(failure)
    }

    fn ask(&self, server: SocketAddr, query: &Message<Vec<u8>>) -> io::Result<Message<Vec<u8>>> {
        let answer = self.ask_by_datagram(server, query)?;
        if answer.header().tc() { self.ask_by_stream(server, query) } else { Ok(answer) }
    }

    fn ask_by_datagram(&self, server: SocketAddr, query: &Message<Vec<u8>>) -> io::Result<Message<Vec<u8>>> {
        let local: IpAddr = if server.is_ipv4() { [0; 4].into() } else { [0u16; 8].into() };
        let socket = UdpSocket::bind((local, 0))?;
        socket.connect(server)?;
        socket.send(query.as_slice())?;
        let end = Instant::now() + self.timeout;
        let mut buffer = vec![0; UDP_MAX];
        loop {
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(io::ErrorKind::TimedOut.into());
            }
            socket.set_read_timeout(Some(left))?;
            let length = socket.recv(&mut buffer)?;
            // Datagrams that do not answer the query are ignored.
            if let Some(answer) = checked(buffer[..length].to_vec(), query) {
                return Ok(answer);
            }
        }
    }

    fn ask_by_stream(&self, server: SocketAddr, query: &Message<Vec<u8>>) -> io::Result<Message<Vec<u8>>> {
        let mut stream = TcpStream::connect_timeout(&server, self.timeout)?;
        stream.set_read_timeout(Some(self.timeout))?;
        stream.set_write_timeout(Some(self.timeout))?;
        let length = u16::try_from(query.as_slice().len()).map_err(io::Error::other)?;
        stream.write_all(&[&length.to_be_bytes()[..], query.as_slice()].concat())?;
        let mut length = [0; 2];
        stream.read_exact(&mut length)?;
        let mut answer = vec![0; u16::from_be_bytes(length).into()];
        stream.read_exact(&mut answer)?;
        checked(answer, query).ok_or_else(|| io::ErrorKind::InvalidData.into())
    }
}

/// A message, if it answers this query.
fn checked(bytes: Vec<u8>, query: &Message<Vec<u8>>) -> Option<Message<Vec<u8>>> {
    let message = Message::from_octets(bytes).ok()?;
    message.is_answer(query.for_slice()).then_some(message)
}

#[cfg(test)]
mod tests {
    use super::{Failure, Resolver};
    use domain::base::iana::Rcode;
    use domain::base::{Message, MessageBuilder, Name, Rtype, Ttl};
    use domain::rdata::Mx;
    use std::net::{Ipv4Addr, UdpSocket};
    use std::time::Duration;

    /// A server that knows one name answers three questions.
    fn serve(socket: &UdpSocket) {
        for _ in 0..3 {
            let mut buffer = [0; 512];
            let (length, client) = socket.recv_from(&mut buffer).expect("a question");
            let query = Message::from_octets(&buffer[..length]).expect("a message");
            let known = query.first_question().is_some_and(|q| q.qname().to_string() == "known.example");
            let code = if known { Rcode::NOERROR } else { Rcode::NXDOMAIN };
            let mut answer = MessageBuilder::new_vec().start_answer(&query, code).expect("room");
            if known {
                let name = |text: &str| Name::<Vec<u8>>::from_chars(text.chars()).expect("a name");
                let record = (name("known.example"), Ttl::from_secs(60), Mx::new(10, name("mail.known.example")));
                answer.push(record).expect("room");
            }
            socket.send_to(answer.into_message().as_slice(), client).expect("sent");
        }
    }

    #[test]
    fn names_are_looked_up_as_they_are_and_in_domains() {
        let socket = UdpSocket::bind((Ipv4Addr::LOCALHOST, 0)).expect("a socket");
        let resolver = Resolver {
            servers: vec![socket.local_addr().expect("an address")],
            search: vec!["example".to_owned()],
            dots: 1,
            timeout: Duration::from_secs(5),
            attempts: 1,
        };
        let server = std::thread::spawn(move || serve(&socket));
        let found = resolver.search(b"known", Rtype::MX).expect("found in the domain");
        assert_eq!(found.header_counts().ancount(), 1);
        assert_eq!(resolver.search(b"no.where", Rtype::MX).err(), Some(Failure::NotFound));
        server.join().expect("three answers");
    }
}

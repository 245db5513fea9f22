//! FastCGI 1.0: records ([`record`]), the parameters of a request ([`parameters`]), and the connection that both go over
//! ([`connection`]). The role is the responder's; a connection serves one request at a time.

pub mod connection;
pub mod parameters;
pub mod record;

pub use connection::{Arrival, Connection};
pub use parameters::Parameters;

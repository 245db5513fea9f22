//! Function bodies that are decoded when they are first used: most functions of a program's files never run.

use super::decode::{DecodeError, Reader};
use super::encode::Writer;
use super::fields::Binary;
use crate::unit::Body;
use std::fmt;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

/// The bytes of a unit in binary form, which live as long as a body may be decoded from them.
pub type Bytes = Arc<dyn AsRef<[u8]> + Send + Sync>;

/// A function's body, or the bytes that it is in.
#[derive(Clone)]
pub struct LazyBody {
    body: OnceLock<Body>,
    source: Option<(Bytes, Range<usize>)>,
}

impl LazyBody {
    /// The body. If its bytes are damaged although their checksum was right, it is an empty body, which cannot be
    /// called.
    #[inline]
    pub fn get(&self) -> &Body {
        match self.body.get() {
            Some(body) => body,
            None => self.body.get_or_init(|| self.read()),
        }
    }

    /// The body for changes, decoded first if need be. It no longer depends on the file's bytes.
    pub fn get_mut(&mut self) -> &mut Body {
        self.get();
        self.source = None;
        let Some(body) = self.body.get_mut() else { unreachable!("a body that was asked for is there") };
        body
    }

    /// About how many bytes the body takes: its instructions and line table, or the bytes that it is still in.
    pub fn size(&self) -> usize {
        match (self.body.get(), &self.source) {
            (Some(body), _) => size_of_val(&body.code[..]) + size_of_val(&body.lines[..]) + size_of_val(&body.eh[..]),
            (None, Some((_, range))) => range.len(),
            (None, None) => 0,
        }
    }

    #[cold]
    fn read(&self) -> Body {
        let Some((bytes, range)) = &self.source else { return Body::default() };
        let body = Reader::all((**bytes).as_ref().get(range.clone()).unwrap_or_default());
        debug_assert!(body.is_ok());
        body.unwrap_or_default()
    }
}

impl Default for LazyBody {
    fn default() -> LazyBody {
        Body::default().into()
    }
}

impl From<Body> for LazyBody {
    fn from(body: Body) -> LazyBody {
        LazyBody { body: body.into(), source: None }
    }
}

impl PartialEq for LazyBody {
    fn eq(&self, other: &LazyBody) -> bool {
        self.get() == other.get()
    }
}

impl fmt::Debug for LazyBody {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.get().fmt(f)
    }
}

/// The length in bytes, then the body.
impl Binary for LazyBody {
    fn write(&self, out: &mut Writer) {
        let mut body = Writer::default();
        self.get().write(&mut body);
        out.append(body);
    }

    fn read(r: &mut Reader) -> Result<LazyBody, DecodeError> {
        let len = r.len()?;
        Ok(match r.later(len)? {
            Some(source) => LazyBody { body: OnceLock::new(), source: Some(source) },
            None => r.all_of_next::<Body>(len)?.into(),
        })
    }
}

//! The parameters of a request: pairs of names and values.

/// The pairs, in the order in which they came.
#[derive(Clone, Debug, Default)]
pub struct Parameters(Vec<(Vec<u8>, Vec<u8>)>);

/// A length: one byte, or four of which the first has its highest bit set.
fn take_length(bytes: &mut &[u8]) -> Option<usize> {
    let (&first, rest) = bytes.split_first()?;
    if first < 0x80 {
        *bytes = rest;
        return Some(usize::from(first));
    }
    let (long, rest) = bytes.split_first_chunk::<4>()?;
    *bytes = rest;
    Some((u32::from_be_bytes(*long) & 0x7fff_ffff) as usize)
}

fn put_length(out: &mut Vec<u8>, length: usize) {
    match u8::try_from(length) {
        Ok(short) if short < 0x80 => out.push(short),
        _ => out.extend_from_slice(&(length as u32 | 0x8000_0000).to_be_bytes()),
    }
}

impl Parameters {
    /// Adds the pairs in the content of a record; false if a length leads beyond it.
    pub fn decode(&mut self, content: &[u8]) -> bool {
        let mut rest = content;
        while !rest.is_empty() {
            let Some((name, value)) = take_pair(&mut rest) else { return false };
            self.set(name, value);
        }
        true
    }

    /// Adds a pair, or gives a known name another value.
    pub fn set(&mut self, name: &[u8], value: &[u8]) {
        match self.0.iter_mut().find(|(known, _)| known == name) {
            Some(pair) => pair.1 = value.to_vec(),
            None => self.0.push((name.to_vec(), value.to_vec())),
        }
    }

    /// Removes a pair.
    pub fn remove(&mut self, name: &[u8]) {
        self.0.retain(|(known, _)| known != name);
    }

    /// The value with a name.
    pub fn get(&self, name: &[u8]) -> Option<&[u8]> {
        self.0.iter().find(|(known, _)| known == name).map(|(_, value)| &value[..])
    }

    /// The pairs from the last to the first: the order in which PHP lists them.
    pub fn listed(&self) -> impl Iterator<Item = &(Vec<u8>, Vec<u8>)> {
        self.0.iter().rev()
    }
}

fn take_pair<'a>(rest: &mut &'a [u8]) -> Option<(&'a [u8], &'a [u8])> {
    let (name_length, value_length) = (take_length(rest)?, take_length(rest)?);
    let (name, after) = rest.split_at_checked(name_length)?;
    let (value, after) = after.split_at_checked(value_length)?;
    *rest = after;
    Some((name, value))
}

/// A pair as the content of a record has it.
pub fn encode(name: &[u8], value: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(name.len() + value.len() + 8);
    put_length(&mut out, name.len());
    put_length(&mut out, value.len());
    out.extend_from_slice(name);
    out.extend_from_slice(value);
    out
}

//! Compound documents, as Microsoft's older programs write them: sectors, their tables, and the directory.

/// The first bytes of a compound document.
const MAGIC: u64 = 0xE11A_B1A1_E011_CFD0;
const HEADER: usize = 512;
/// The largest sector, as a power of two.
const LARGEST_SECTOR: u16 = 20;
const FREE: i32 = -1;
const END_OF_CHAIN: i32 = -2;
const DIRECTORY_ENTRY: usize = 128;
/// Sectors that a chain may have.
const LONGEST_CHAIN: usize = 10_000;

/// Kinds of directory entries.
pub const STORAGE: u8 = 1;
pub const STREAM: u8 = 2;
const ROOT: u8 = 5;

/// A number of 16 bits at an offset, 0 if it is outside.
pub fn u16_at(data: &[u8], at: usize) -> u16 {
    at.checked_add(2).and_then(|end| data.get(at..end)).map_or(0, |bytes| u16::from_le_bytes([bytes[0], bytes[1]]))
}

/// A number of 32 bits at an offset, 0 if it is outside.
pub fn u32_at(data: &[u8], at: usize) -> u32 {
    let bytes = at.checked_add(4).and_then(|end| data.get(at..end)).and_then(|bytes| bytes.try_into().ok());
    u32::from_le_bytes(bytes.unwrap_or_default())
}

/// A number of 64 bits at an offset, 0 if it is outside.
pub fn u64_at(data: &[u8], at: usize) -> u64 {
    u64::from(u32_at(data, at)) | u64::from(u32_at(data, at.saturating_add(4))) << 32
}

fn id_at(data: &[u8], at: usize) -> i32 {
    u32_at(data, at) as i32
}

/// An entry of the directory.
pub struct Entry {
    /// The name's 16-bit units, as many as there is room for.
    pub name: [u16; 32],
    pub kind: u8,
    pub class_id: [u64; 2],
    first_sector: i32,
    size: u32,
}

/// A table of sectors: which one follows each.
struct Chains {
    next: Vec<i32>,
    /// Sectors that the table could tell of.
    limit: usize,
}

impl Chains {
    fn of(data: &[u8], limit: usize) -> Chains {
        Chains { next: data.chunks_exact(4).map(|bytes| id_at(bytes, 0)).collect(), limit }
    }

    /// The sectors of a chain; `None`: it is damaged.
    fn follow(&self, first: i32) -> Option<Vec<i32>> {
        let (mut chain, mut sector) = (Vec::new(), first);
        if sector == END_OF_CHAIN {
            return Some(chain);
        }
        while let Ok(index) = usize::try_from(sector) {
            if chain.len() >= LONGEST_CHAIN || index >= self.limit {
                return None;
            }
            chain.push(sector);
            sector = *self.next.get(index)?;
        }
        (!chain.is_empty()).then_some(chain)
    }
}

/// A compound document.
pub struct Document<'a> {
    data: &'a [u8],
    sector: usize,
    short_sector: usize,
    /// Streams below this size are in short sectors.
    smallest: u32,
    long: Chains,
    short: Chains,
    /// The contents of all short sectors, if there are any.
    short_data: Option<Vec<u8>>,
    pub entries: Vec<Entry>,
    root: Option<usize>,
}

/// What part of a document is damaged, in libmagic's words.
pub enum Damage {
    /// It is no compound document.
    Other,
    Part(&'static str),
}

fn sector_of(data: &[u8], size: usize, id: i32) -> Option<&[u8]> {
    let id = usize::try_from(id).ok()?;
    let start = id.checked_add(1)?.checked_mul(size)?;
    data.get(start..start.checked_add(size)?)
}

/// Reads the table of sectors, whose own sectors the header and further tables list.
fn read_chains(data: &[u8], sector: usize) -> Option<Chains> {
    const LISTED: usize = 109;
    const LIST: usize = 76;
    let more_count = u32_at(data, 72) as usize;
    let per_sector = (sector / 4).checked_sub(1)?;
    let listed: Vec<i32> = (0..LISTED).map(|index| id_at(data, LIST + 4 * index)).collect();
    let used = listed.iter().position(|&id| id == FREE).unwrap_or(LISTED);
    let limit = u32::MAX as usize / (64 * sector);
    if (per_sector > 0 && more_count > limit / per_sector) || used > limit {
        return None;
    }
    let most = more_count * per_sector + used;
    let mut table = Vec::new();
    let mut count = 0;
    for &id in listed.iter().take_while(|&&id| id >= 0) {
        table.extend_from_slice(sector_of(data, sector, id)?);
        count += 1;
    }
    let mut next = id_at(data, 68);
    'tables: for index in 0..more_count {
        if next < 0 {
            break;
        }
        if index >= LONGEST_CHAIN {
            return None;
        }
        let list = sector_of(data, sector, next)?;
        for place in 0..per_sector {
            let id = id_at(list, 4 * place);
            if id < 0 {
                break 'tables;
            }
            if count >= most {
                return None;
            }
            table.extend_from_slice(sector_of(data, sector, id)?);
            count += 1;
        }
        next = id_at(list, 4 * per_sector);
    }
    Some(Chains::of(&table, count * sector / 4))
}

fn entry(data: &[u8]) -> Entry {
    Entry {
        name: std::array::from_fn(|index| u16_at(data, 2 * index)),
        kind: data.get(66).copied().unwrap_or(0),
        class_id: [u64_at(data, 80), u64_at(data, 88)],
        first_sector: id_at(data, 116),
        size: u32_at(data, 120),
    }
}

impl<'a> Document<'a> {
    /// Reads the tables and the directory.
    pub fn read(data: &'a [u8]) -> Result<Document<'a>, Damage> {
        let header = data.get(..HEADER).filter(|header| u64_at(header, 0) == MAGIC).ok_or(Damage::Other)?;
        let sizes = (u16_at(header, 30), u16_at(header, 32));
        if sizes.0 > LARGEST_SECTOR || sizes.1 > LARGEST_SECTOR {
            return Err(Damage::Other);
        }
        let (sector, short_sector) = (1 << sizes.0, 1 << sizes.1);
        let part = |what| Damage::Part(what);
        let long = read_chains(data, sector).ok_or(part("Can't read SAT"))?;
        let read_all = |first: i32| -> Option<Vec<u8>> {
            let chain = long.follow(first)?;
            let mut all = Vec::new();
            for id in chain {
                all.extend_from_slice(sector_of(data, sector, id)?);
            }
            Some(all)
        };
        let short_table = read_all(id_at(header, 60)).ok_or(part("Can't read SSAT"))?;
        let short = Chains::of(&short_table, short_table.len() / 4);
        let directory = read_all(id_at(header, 48)).ok_or(part("Can't read directory"))?;
        let per_sector = sector / DIRECTORY_ENTRY;
        let entries: Vec<Entry> = match per_sector {
            0 => Vec::new(),
            _ => directory.chunks_exact(DIRECTORY_ENTRY).map(entry).collect(),
        };
        let root = entries.iter().position(|entry| entry.kind == ROOT);
        let smallest = u32_at(header, 56);
        let mut document =
            Document { data, sector, short_sector, smallest, long, short, short_data: None, entries, root };
        document.read_short_data().ok_or(part("Cannot read short stream"))?;
        Ok(document)
    }

    fn read_short_data(&mut self) -> Option<()> {
        let Some(root) = self.root.map(|index| &self.entries[index]).filter(|root| root.first_sector >= 0) else {
            return Some(());
        };
        self.short_data = Some(self.read_long(root.first_sector, root.size)?);
        Some(())
    }

    /// The entry that stands for the document.
    pub fn root(&self) -> Option<&Entry> {
        self.root.map(|index| &self.entries[index])
    }

    fn read_long(&self, first: i32, size: u32) -> Option<Vec<u8>> {
        if first == END_OF_CHAIN || size == 0 {
            return None;
        }
        let chain = self.long.follow(first)?;
        let mut all = Vec::new();
        for id in chain {
            all.extend_from_slice(sector_of(self.data, self.sector, id)?);
        }
        Some(all)
    }

    fn read_short(&self, short_data: &[u8], first: i32) -> Option<Vec<u8>> {
        let chain = self.short.follow(first)?;
        let mut all = Vec::new();
        for id in chain {
            let start = usize::try_from(id).ok()?.checked_mul(self.short_sector)?;
            all.extend_from_slice(short_data.get(start..start.checked_add(self.short_sector)?)?);
        }
        Some(all)
    }

    /// The last entry of a name and kind.
    pub fn find(&self, name: &str, kind: u8) -> Option<&Entry> {
        let is_it = |entry: &&Entry| {
            let wanted = name.bytes().map(u16::from).chain([0]);
            entry.kind == kind && wanted.zip(entry.name).all(|(wanted, there)| wanted == there)
        };
        self.entries.iter().rev().find(is_it)
    }

    /// The contents of a stream; `None`: there is none of the name, or it is damaged.
    pub fn stream(&self, name: &str) -> Option<Vec<u8>> {
        let entry = self.find(name, STREAM)?;
        let short = self.short_data.as_ref().filter(|_| entry.size < self.smallest);
        match short {
            Some(short) => self.read_short(short, entry.first_sector),
            None => self.read_long(entry.first_sector, entry.size),
        }
    }
}

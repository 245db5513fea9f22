//! Maker notes: directories of their own, in the form that each maker of cameras invented.

use crate::ifd::Area;
use crate::image::Image;
use crate::number::Order;
use crate::tags::{self, Table};
use crate::text::until_nul;
use crate::value::Section;
use phlox_runtime::PhpResult;

/// The makers, for the description of the extension.
pub const MAKERS: &str = "Canon, Casio, Fujifilm, Nikon, Olympus, Samsung, Panasonic, DJI, Sony, Pentax, Minolta, Sigma, \
                          Foveon, Kyocera, Ricoh, AGFA, Epson";

/// A form of maker notes.
struct Form {
    /// `None`: the notes have a form of their own, which is not read.
    table: Option<Table>,
    make: &'static [u8],
    /// What notes of this form start with.
    start: Option<&'static [u8]>,
    /// Where the directory is.
    offset: usize,
    /// The order of bytes, if it is not the image's.
    order: Option<Order>,
    /// Offsets count from the start of the notes.
    has_own_offsets: bool,
}

const fn form(table: Table, make: &'static [u8], start: Option<&'static [u8]>) -> Form {
    let offset = match start {
        Some(start) => start.len(),
        None => 0,
    };
    Form { table: Some(table), make, start, offset, order: None, has_own_offsets: false }
}

/// The forms, in the order in which they are tried.
const FORMS: [Form; 21] = [
    Form { order: Some(Order::Intel), ..form(tags::CANON, b"Canon", None) },
    Form { order: Some(Order::Motorola), ..form(tags::CASIO, b"CASIO", None) },
    Form {
        order: Some(Order::Intel),
        has_own_offsets: true,
        ..form(tags::FUJI, b"FUJIFILM", Some(b"FUJIFILM\x0c\0\0\0"))
    },
    form(tags::NIKON, b"NIKON", Some(b"Nikon\0\x01\0")),
    form(tags::NIKON_990, b"NIKON", None),
    form(tags::OLYMPUS, b"OLYMPUS OPTICAL CO.,LTD", Some(b"OLYMP\0\x01\0")),
    form(tags::SAMSUNG, b"SAMSUNG", None),
    form(tags::PANASONIC, b"Panasonic", Some(b"Panasonic\0\0\0")),
    Form { table: None, order: Some(Order::Motorola), ..form(tags::DJI, b"DJI", Some(b"[ae_dbg_info:")) },
    form(tags::DJI, b"DJI", None),
    form(tags::SONY, b"SONY", Some(b"SONY DSC \0\0\0")),
    form(tags::SONY, b"SONY", None),
    Form { offset: 6, ..form(tags::PENTAX, b"PENTAX", Some(b"AOC\0")) },
    form(tags::MINOLTA, b"Minolta, KONICA MINOLTA", None),
    Form { offset: 10, ..form(tags::SIGMA, b"SIGMA, FOVEON", Some(b"SIGMA\0\0\0")) },
    Form { offset: 10, ..form(tags::SIGMA, b"SIGMA, FOVEON", Some(b"FOVEON\0\0\0")) },
    Form { has_own_offsets: true, ..form(tags::KYOCERA, b"KYOCERA, CONTAX", Some(b"KYOCERA            \0\0\0")) },
    Form { order: Some(Order::Motorola), ..form(tags::RICOH, b"RICOH", Some(b"Ricoh")) },
    Form { order: Some(Order::Motorola), ..form(tags::RICOH, b"RICOH", Some(b"RICOH")) },
    Form { offset: 8, ..form(tags::OLYMPUS, b"AGFA", Some(b"AGFA \0\x01")) },
    form(tags::OLYMPUS, b"EPSON", Some(b"EPSON\0\x01\0")),
];

/// Do two texts of C agree in as many bytes as one of them is long, or up to a zero?
fn starts_equally(start: &[u8], length: usize, value: &[u8]) -> bool {
    let one = until_nul(&start[..start.len().min(length)]);
    let two = until_nul(&value[..value.len().min(length)]);
    one == two
}

impl Form {
    fn fits(&self, make: Option<&[u8]>, value: &[u8]) -> bool {
        // Notes that are shorter than the start are not compared with it.
        let compares = |start: &&[u8]| value.len() >= self.offset && !starts_equally(start, self.offset, value);
        make.map(until_nul) == Some(self.make) && !self.start.as_ref().is_some_and(compares)
    }
}

impl Image<'_, '_> {
    /// Reads maker notes. False: they are damaged so that nothing more can be read.
    pub fn read_maker_note(&mut self, value: &[u8], area: &Area<'_>, displacement: u64) -> PhpResult<bool> {
        let Some(form) = FORMS.iter().find(|form| form.fits(self.make.as_deref(), value)) else {
            // What has no known form stays a text.
            return Ok(true);
        };
        let size = value.len();
        if size < 2 || form.offset >= size - 1 {
            self.warn(&format!("IFD data too short: 0x{size:04X} offset 0x{:04X}", form.offset))?;
            return Ok(true);
        }
        let Some(table) = form.table else { return Ok(true) };
        let directory = &value[form.offset..];
        self.found |= Section::MakerNote.bit();
        let order = self.order;
        self.order = form.order.or(order);
        let mut count = usize::from(self.byte_order().short(directory));
        if 2 + count * 12 > size {
            self.notice(
                "Potentially invalid endianess, trying again with different endianness before imminent failure.",
            )?;
            self.order = Some(self.byte_order().inverted());
            count = usize::from(self.byte_order().short(directory));
        }
        let needed = 2 + count * 12;
        if needed > size {
            self.warn(&format!("Illegal IFD size: 2 + 0x{count:04X}*12 = 0x{needed:04X} > 0x{size:04X}"))?;
            return Ok(false);
        }
        if form.offset > size - needed {
            self.warn(&format!("Illegal IFD size: 0x{:04X} > 0x{size:04X}", form.offset + needed))?;
            return Ok(false);
        }
        let own = Area::new(value);
        let area = if form.has_own_offsets { &own } else { area };
        for entry in directory[2..needed].chunks_exact(12) {
            if !self.read_tag(entry, area, displacement, Section::MakerNote, false, table)? {
                return Ok(false);
            }
        }
        self.order = order;
        Ok(true)
    }
}

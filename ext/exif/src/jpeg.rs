//! JPEG files: sections with a marker and a length, up to the compressed data.

use crate::ifd::Area;
use crate::image::Image;
use crate::number::Order;
use crate::number::format;
use crate::text::until_nul;
use crate::value::Section;
use phlox_runtime::PhpResult;

/// Markers of sections.
pub mod marker {
    pub const SOI: u8 = 0xd8;
    pub const EOI: u8 = 0xd9;
    /// Compressed data follows.
    pub const SOS: u8 = 0xda;
    pub const EXIF: u8 = 0xe1;
    pub const APP12: u8 = 0xec;
    pub const COMMENT: u8 = 0xfe;
}

const CORRUPT: &str = "File structure corrupted";

/// Is a marker one of the starts of a frame, which has the size of the image?
pub fn is_frame(marker: u8) -> bool {
    matches!(marker, 0xc0..=0xc3 | 0xc5..=0xc7 | 0xc9..=0xcb | 0xcd..=0xcf)
}

impl Image<'_, '_> {
    /// The next marker. `None`: the file ends. Behind a comment up to `skip` bytes that are no marker are left out: some
    /// software does not count the length itself. Once they were, `skip` stays 0 for the file.
    fn next_marker(&mut self, mut after_comment: bool, skip: &mut u32) -> PhpResult<Option<u8>> {
        if after_comment && *skip > 0 {
            *skip = 2;
        }
        let marker = loop {
            let Some(byte) = self.byte()? else {
                self.warn(CORRUPT)?;
                return Ok(None);
            };
            if after_comment && *skip > 0 {
                if byte == 0xff {
                    after_comment = false;
                } else {
                    *skip -= 1;
                }
            } else if byte != 0xff {
                break byte;
            }
        };
        if after_comment {
            self.notice("Image has corrupt COM section: some software set wrong length information")?;
        }
        Ok(Some(marker))
    }

    /// Reads a JPEG behind its first marker. False: it is damaged.
    pub fn read_jpeg(&mut self) -> PhpResult<bool> {
        let (mut last, mut skip) = (None, 1);
        loop {
            let Some(kind) = self.next_marker(last == Some(marker::COMMENT), &mut skip)? else { return Ok(false) };
            let start = self.position();
            let head = (self.byte()?, self.byte()?);
            let (Some(high), Some(low)) = head else {
                self.warn(CORRUPT)?;
                return Ok(false);
            };
            let length = usize::from(high) << 8 | usize::from(low);
            if length < 2 {
                self.warn(CORRUPT)?;
                return Ok(false);
            }
            let data = self.read(length - 2)?;
            if data.len() < length - 2 {
                let (got, wanted) = (data.len(), length - 2);
                self.warn(&format!(
                    "Error reading from file: got=x{got:04X}(={got}) != itemlen-2=x{wanted:04X}(={wanted})"
                ))?;
                return Ok(false);
            }
            match kind {
                marker::SOS => return Ok(true),
                marker::EOI => {
                    self.warn("No image in jpeg!")?;
                    return Ok(self.found & !Section::Computed.bit() != 0);
                }
                kind if is_frame(kind) => {
                    if data.len() < 6 {
                        return Ok(false);
                    }
                    self.computed.height = Order::Motorola.short(&data[1..]).into();
                    self.computed.width = Order::Motorola.short(&data[3..]).into();
                    self.computed.is_color = data[5] == 3;
                }
                _ => self.read_section(kind, &data, start)?,
            }
            last = Some(kind);
        }
    }

    fn read_section(&mut self, kind: u8, data: &[u8], start: u64) -> PhpResult<()> {
        match kind {
            marker::COMMENT => self.add_text(Section::Comment, "Comment", data),
            marker::EXIF if self.found & Section::Ifd0.bit() == 0 => self.read_exif(data, start),
            marker::APP12 => {
                let company = until_nul(data);
                if company.is_empty() {
                    return Ok(());
                }
                self.add_text(Section::App12, "Company", company)?;
                match data.get(company.len() + 1..) {
                    Some(rest) if !rest.is_empty() => self.add_text(Section::App12, "Info", until_nul(rest)),
                    _ => Ok(()),
                }
            }
            _ => Ok(()),
        }
    }

    fn add_text(&mut self, section: Section, name: &str, text: &[u8]) -> PhpResult<()> {
        const COMPUTED: u16 = 0xfffe;
        self.add_tag(section, name.to_owned(), COMPUTED, format::STRING, text.len(), text)
    }

    /// Reads a section with Exif data: a TIFF without image.
    fn read_exif(&mut self, data: &[u8], start: u64) -> PhpResult<()> {
        let Some(tiff) = data.strip_prefix(b"Exif\0\0").filter(|tiff| !tiff.is_empty()) else {
            return self.warn("Incorrect APP1 Exif Identifier Code");
        };
        if tiff.len() < 2 {
            return self.warn("Missing TIFF alignment marker");
        }
        let order = match &tiff[..2] {
            b"II" => Order::Intel,
            b"MM" => Order::Motorola,
            _ => return self.warn("Invalid TIFF alignment marker"),
        };
        self.order = Some(order);
        let offset = order.long(tiff.get(4..).unwrap_or_default());
        if tiff.len() < 8 || order.short(&tiff[2..]) != 0x2a || offset < 8 {
            return self.warn("Invalid TIFF start (1)");
        }
        if offset as usize > tiff.len() {
            return self.warn("Invalid IFD start");
        }
        self.found |= Section::Ifd0.bit();
        // Offsets in the file count from the TIFF, which is behind the length and the name of the section.
        self.read_directory(offset.into(), &Area::new(tiff), start + 8, Section::Ifd0, None)?;
        let computed = &mut self.computed;
        if computed.focal_plane_resolution != 0.0 {
            let width = computed.exif_width as f64 * computed.focal_plane_unit / computed.focal_plane_resolution;
            computed.ccd_width = width as f32;
        }
        Ok(())
    }
}

//! TIFF files: directories that lie anywhere in the file.

use crate::ifd::{
    Area, EXIF_HEIGHT, EXIF_WIDTH, IMAGE_HEIGHT, IMAGE_WIDTH, PHOTOMETRIC_INTERPRETATION, SUB_IFD, sub_section,
};
use crate::image::{Image, kind, name_in_message, table};
use crate::jpeg::marker;
use crate::number::{Order, component_size, format};
use crate::value::Section;
use phlox_runtime::PhpResult;

/// The first numbers of a directory in the file.
struct Directory {
    offset: u64,
    data: Vec<u8>,
    count: usize,
    next: u64,
}

impl Image<'_, '_> {
    /// Reads the file. False: it is damaged, or of another kind.
    pub fn read_file(&mut self) -> PhpResult<bool> {
        if self.file_size < 2 {
            self.warn(&format!("File too small ({})", self.file_size))?;
            return Ok(false);
        }
        self.seek(0)?;
        let mut head = self.read(2)?;
        if head.len() < 2 {
            return Ok(false);
        }
        if head == [0xff, marker::SOI] {
            self.kind = kind::JPEG;
            let is_whole = self.read_jpeg()?;
            if !is_whole {
                self.warn("Invalid JPEG file")?;
            }
            return Ok(is_whole);
        }
        if self.file_size < 8 {
            return Ok(false);
        }
        head.extend(self.read(6)?);
        if head.len() < 8 {
            return Ok(false);
        }
        let (kind, order) = match &head[..4] {
            b"II\x2a\0" => (kind::TIFF_INTEL, Order::Intel),
            b"MM\0\x2a" => (kind::TIFF_MOTOROLA, Order::Motorola),
            _ => {
                self.warn("File not supported")?;
                return Ok(false);
            }
        };
        (self.kind, self.order) = (kind, Some(order));
        self.found |= Section::Ifd0.bit();
        let is_whole = self.read_tiff(order.long(&head[4..]).into(), Section::Ifd0)?;
        if !is_whole {
            self.warn("Invalid TIFF file")?;
        }
        Ok(is_whole)
    }

    /// Reads a directory of a TIFF. False: it is damaged.
    fn read_tiff(&mut self, offset: u64, section: Section) -> PhpResult<bool> {
        if !self.may_go_deeper() {
            return Ok(false);
        }
        self.nesting += 1;
        let result = self.read_tiff_inside(offset, section);
        self.nesting -= 1;
        result
    }

    fn read_tiff_inside(&mut self, offset: u64, section: Section) -> PhpResult<bool> {
        let Some(mut directory) = self.open_directory(offset)? else { return Ok(false) };
        let size = self.measure_directory(&directory, section)?;
        if size > directory.data.len() as u64 {
            if offset + size > self.file_size {
                self.warn(&format!(
                    "Error in TIFF: filesize(x{:04X}) less than size of IFD(x{offset:04X} + x{:04X})",
                    self.file_size, size as u32
                ))?;
                return Ok(false);
            }
            let mut more = self.read(size as usize - directory.data.len())?;
            directory.data.append(&mut more);
            directory.data.resize(size as usize, 0);
        }
        self.read_tags(&directory, section)?.map_or(Ok(false), |()| {
            if directory.next == 0 || section == Section::Thumbnail {
                return Ok(true);
            }
            self.read_tiff(directory.next, Section::Thumbnail)?;
            let thumbnail = &self.thumbnail;
            let is_told = thumbnail.offset != 0 && thumbnail.size != 0;
            if thumbnail.data.is_none() && is_told && self.reads_thumbnail {
                self.read_thumbnail()?;
            }
            Ok(true)
        })
    }

    /// Reads the entries of a directory. `None`: they are not there.
    fn open_directory(&mut self, offset: u64) -> PhpResult<Option<Directory>> {
        if offset + 2 > self.file_size {
            self.warn(&format!(
                "Error in TIFF: filesize(x{:04X}) less than start of IFD dir(x{:04X})",
                self.file_size,
                offset + 2
            ))?;
            return Ok(None);
        }
        self.seek(offset)?;
        let mut data = self.read(2)?;
        if data.len() < 2 {
            return Ok(None);
        }
        let order = self.byte_order();
        let count = usize::from(order.short(&data));
        // The offset of the next directory follows the entries.
        let size = 2 + count * 12 + 4;
        if offset + size as u64 > self.file_size {
            self.warn(&format!(
                "Error in TIFF: filesize(x{:04X}) less than size of IFD dir(x{:04X})",
                self.file_size,
                offset + size as u64
            ))?;
            return Ok(None);
        }
        data.extend(self.read(size - 2)?);
        if data.len() < size {
            return Ok(None);
        }
        let next = u64::from(order.long(&data[size - 4..]));
        Ok(Some(Directory { offset, data, count, next }))
    }

    /// The size of a directory with the values that follow it. Notes the size of the image on the way.
    fn measure_directory(&mut self, directory: &Directory, section: Section) -> PhpResult<u64> {
        let order = self.byte_order();
        let mut size = directory.data.len() as u64;
        // An entry of another kind than the ones that are read here has the number of the one before.
        let mut number = 0;
        for entry in directory.data[2..2 + directory.count * 12].chunks_exact(12) {
            let (tag, mut kind) = (order.short(entry), order.short(&entry[2..]));
            if kind > format::IFD {
                let name = name_in_message(tag, table(section));
                self.notice(&format!(
                    "Read from TIFF: tag(0x{tag:04X},{name:>12}): Illegal format code 0x{kind:04X}, switching to BYTE"
                ))?;
                kind = format::BYTE;
            }
            // PHP multiplies numbers of 32 bits here.
            let length = u64::from(order.long(&entry[4..]).wrapping_mul(component_size(kind) as u32));
            if length <= 4 {
                let value = &entry[8..];
                number = match kind {
                    format::USHORT => i64::from(order.short(value)),
                    format::SSHORT => i64::from(order.short(value) as i16),
                    format::ULONG | format::SLONG => i64::from(order.long(value) as i32),
                    _ => number,
                };
                self.note_entry(tag, number);
                continue;
            }
            let offset = u64::from(order.long(&entry[8..]));
            if offset == directory.offset + size {
                size += length;
            }
        }
        Ok(size)
    }

    fn note_entry(&mut self, tag: u16, number: i64) {
        match (tag, number) {
            (IMAGE_WIDTH | EXIF_WIDTH, width) => self.computed.width = width,
            (IMAGE_HEIGHT | EXIF_HEIGHT, height) => self.computed.height = height,
            (PHOTOMETRIC_INTERPRETATION, 0 | 1 | 4) => self.computed.is_color = false,
            (PHOTOMETRIC_INTERPRETATION, 2 | 3 | 5 | 6 | 8) => self.computed.is_color = true,
            _ => {}
        }
    }

    /// Reads the tags, and the directories that they point to. `None`: nothing more can be read.
    fn read_tags(&mut self, directory: &Directory, section: Section) -> PhpResult<Option<()>> {
        let area = Area::at(directory.offset, &directory.data);
        for entry in directory.data[2..2 + directory.count * 12].chunks_exact(12) {
            let order = self.byte_order();
            let tag = order.short(entry);
            let Some(sub_section) = sub_section(tag) else {
                if !self.read_tag(entry, &area, 0, section, false, table(section))? {
                    return Ok(None);
                }
                continue;
            };
            self.found |= sub_section.bit();
            self.read_tiff(order.long(&entry[8..]).into(), sub_section)?;
            let is_first = section != Section::Thumbnail && tag == SUB_IFD && self.thumbnail.data.is_none();
            if is_first && self.thumbnail.is_told() && self.reads_thumbnail {
                self.read_thumbnail()?;
            }
        }
        Ok(Some(()))
    }
}

//! Thumbnails: small images in the image, as JPEG or as the strips of a TIFF.

use crate::ifd::{Area, JPEG_OFFSET, STRIP_OFFSETS};
use crate::image::{Image, kind};
use crate::jpeg::{is_frame, marker};
use crate::number::{Order, component_size, format};
use crate::value::{Data, Item, Section};
use phlox_runtime::PhpResult;

/// The size from which on a thumbnail is not one, in bytes, by the Exif standard.
const TOO_LARGE: u64 = 65_536;
const TOO_FAR: &str = "Thumbnail goes IFD boundary or end of file reached";

/// The value of a tag, with at least four bytes.
fn value_of(item: &Item, order: Order) -> Vec<u8> {
    let mut value = Vec::new();
    match &item.data {
        Data::Nothing => {}
        Data::Text(bytes) | Data::Bytes(bytes) => value.extend_from_slice(bytes),
        Data::Numbers(numbers) => numbers.iter().for_each(|number| number.write(item.format, order, &mut value)),
    }
    value.resize((component_size(item.format) * item.length()).max(4), 0);
    value
}

impl Image<'_, '_> {
    /// Takes the thumbnail out of the bytes of the directories.
    pub fn take_thumbnail(&mut self, area: &Area<'_>) -> PhpResult<()> {
        if self.thumbnail.data.is_some() {
            return self.warn("Multiple possible thumbnails");
        }
        let (offset, size) = (self.thumbnail.offset, self.thumbnail.size);
        if size >= TOO_LARGE || size == 0 || offset == 0 {
            return self.warn("Illegal thumbnail size/offset");
        }
        match area.get(offset, size as usize) {
            None => self.warn(TOO_FAR),
            Some(data) => {
                self.thumbnail.data = Some(data.to_vec());
                self.complete_thumbnail();
                Ok(())
            }
        }
    }

    /// Reads the thumbnail from the file.
    pub fn read_thumbnail(&mut self) -> PhpResult<()> {
        self.seek(self.thumbnail.offset)?;
        let size = usize::try_from(self.thumbnail.size).unwrap_or(usize::MAX);
        if self.thumbnail.size > self.file_size {
            return self.warn(TOO_FAR);
        }
        let data = self.read(size)?;
        if data.len() < size {
            return self.warn(TOO_FAR);
        }
        self.thumbnail.data = Some(data);
        self.complete_thumbnail();
        Ok(())
    }

    /// Puts a header before the strips of a TIFF, made of the tags of the thumbnail.
    fn complete_thumbnail(&mut self) {
        let thumbnail = &self.thumbnail;
        let is_strip = matches!(thumbnail.kind, kind::TIFF_INTEL | kind::TIFF_MOTOROLA);
        if !is_strip || !self.reads_thumbnail || thumbnail.offset == 0 || thumbnail.size == 0 {
            return;
        }
        let order = self.byte_order();
        let items = &self.items[Section::Thumbnail as usize];
        let values: Vec<Vec<u8>> = items.iter().map(|item| value_of(item, order)).collect();
        let head = 8 + 2 + items.len() * 12 + 4;
        let is_long = |item: &Item| component_size(item.format) * item.length() > 4;
        let long = |(item, value): (&Item, &Vec<u8>)| if is_long(item) { value.len() } else { 0 };
        let size = head + items.iter().zip(&values).map(long).sum::<usize>();
        let mut out = match order {
            Order::Motorola => b"MM\0\x2a\0\0\0\x08".to_vec(),
            Order::Intel => b"II\x2a\0\x08\0\0\0".to_vec(),
        };
        order.put_short(items.len() as u16, &mut out);
        let mut behind = Vec::new();
        for (item, value) in items.iter().zip(&values) {
            order.put_short(item.tag, &mut out);
            if matches!(item.tag, STRIP_OFFSETS | JPEG_OFFSET) {
                order.put_short(format::ULONG, &mut out);
                order.put_long(1, &mut out);
                order.put_long(size as u32, &mut out);
                continue;
            }
            order.put_short(item.format, &mut out);
            order.put_long(item.length() as u32, &mut out);
            if is_long(item) {
                order.put_long((head + behind.len()) as u32, &mut out);
                behind.extend_from_slice(value);
            } else {
                out.extend_from_slice(&value[..4]);
            }
        }
        out.extend_from_slice(&[0; 4]);
        out.extend(behind);
        out.resize(size, 0);
        if let Some(data) = &mut self.thumbnail.data {
            out.append(data);
            *data = out;
            self.thumbnail.size = data.len() as u64;
        }
    }

    /// Finds out width and height of a JPEG thumbnail. Were they found?
    pub fn scan_thumbnail(&mut self) -> PhpResult<bool> {
        let Some(data) = self.thumbnail.data.take() else { return Ok(false) };
        let found = self.scan(&data);
        self.thumbnail.data = Some(data);
        let Some((width, height)) = found? else { return Ok(false) };
        (self.thumbnail.width, self.thumbnail.height) = (width, height);
        Ok(true)
    }

    fn scan(&mut self, data: &[u8]) -> PhpResult<Option<(u64, u64)>> {
        if data.len() < 4 {
            return Ok(None);
        }
        if !data.starts_with(b"\xff\xd8\xff") {
            if self.thumbnail.width == 0 && self.thumbnail.height == 0 {
                self.warn("Thumbnail is not a JPEG image")?;
            }
            return Ok(None);
        }
        let mut rest = &data[2..];
        while let Some(((kind, section), behind)) = next_section(rest) {
            let big = |at: usize| Some(u64::from(Order::Motorola.short(section.get(at..at + 2)?)));
            match kind {
                kind if is_frame(kind) => return Ok(big(5).zip(big(3)).filter(|_| section.len() >= 8)),
                marker::SOS | marker::EOI => {
                    self.warn("Could not compute size of thumbnail")?;
                    return Ok(None);
                }
                _ => rest = behind,
            }
        }
        Ok(None)
    }
}

/// A section of a JPEG, with its length in front, and what follows it.
fn next_section(data: &[u8]) -> Option<((u8, &[u8]), &[u8])> {
    const MOST_FILLING: usize = 9;
    let filling = data.iter().take_while(|&&byte| byte == 0xff).count();
    if filling == 0 || filling > MOST_FILLING {
        return None;
    }
    let (&kind, behind) = data[filling..].split_first()?;
    let length = usize::from(Order::Motorola.short(behind.get(..2)?));
    (length < behind.len()).then(|| ((kind, &behind[..length]), &behind[length..]))
}

//! `iptcembed`: texts of the International Press Telecommunications Council in the segments of a JPEG.

use phlox_ext_standard_file::stream::open::os;
use phlox_runtime::{Call, FnDef, PhpResult, Val, basedir, ob};

pub const FUNCTIONS: &[FnDef] =
    &[FnDef::new("iptcembed(string $iptc_data, string $filename, int $spool = 0): string|bool", iptcembed)];

const START_OF_IMAGE: u8 = 0xd8;
const END_OF_IMAGE: u8 = 0xd9;
const START_OF_SCAN: u8 = 0xda;
const APP0: u8 = 0xe0;
const APP1: u8 = 0xe1;
const APP13: u8 = 0xed;

/// Walks over an image and keeps a copy of what it passes.
struct Copier<'a> {
    image: &'a [u8],
    at: usize,
    out: Vec<u8>,
}

impl Copier<'_> {
    fn next(&mut self) -> Option<u8> {
        let byte = *self.image.get(self.at)?;
        self.at += 1;
        Some(byte)
    }

    fn copy(&mut self) -> Option<u8> {
        let byte = self.next()?;
        self.out.push(byte);
        Some(byte)
    }

    fn copy_rest(&mut self) {
        self.out.extend_from_slice(&self.image[self.at..]);
        self.at = self.image.len();
    }

    /// The length of the segment that starts here, with its own two bytes.
    fn segment(&self) -> usize {
        let rest = &self.image[self.at..];
        let Some([high, low]) = rest.first_chunk() else { return rest.len() };
        match u16::from_be_bytes([*high, *low]) {
            // Lengths that do not even count themselves reach to the end.
            0 | 1 => rest.len(),
            length => usize::from(length).min(rest.len()),
        }
    }

    fn copy_segment(&mut self) {
        let end = self.at + self.segment();
        self.out.extend_from_slice(&self.image[self.at..end]);
        self.at = end;
    }

    /// The next marker, of which the copy has all but the last byte. `None`: the image ends.
    fn marker(&mut self) -> Option<u8> {
        while self.copy()? != 0xff {}
        loop {
            match self.next()? {
                0xff => self.out.push(0xff),
                marker => return Some(marker),
            }
        }
    }

    /// Copies the image with the data as its only APP13; false: it is no JPEG.
    fn embed(&mut self, data: &[u8]) -> bool {
        if self.copy() != Some(0xff) || self.copy() != Some(START_OF_IMAGE) {
            return false;
        }
        let mut written = false;
        while let Some(marker) = self.marker().filter(|&marker| marker != END_OF_IMAGE) {
            if marker == APP13 {
                // The old segment is dropped, except for its 0xFF, which now begins the next marker.
                self.at += self.segment();
                self.next();
                self.copy_rest();
                return true;
            }
            self.out.push(marker);
            match marker {
                START_OF_SCAN => {
                    self.copy_rest();
                    return true;
                }
                // Only the first APP0 or APP1 is followed by the data. As in PHP, the length of a second one is read as
                // if it were a marker.
                APP0 | APP1 if written => {}
                APP0 | APP1 => {
                    written = true;
                    self.copy_segment();
                    self.out.extend(app13(data));
                }
                _ => self.copy_segment(),
            }
        }
        true
    }
}

/// The APP13 segment: Photoshop's resource 0x0404 of even length.
fn app13(data: &[u8]) -> Vec<u8> {
    let even = data.len().next_multiple_of(2);
    let [.., high, low] = (even + 28).to_be_bytes();
    let mut segment = vec![0xff, APP13, high, low];
    segment.extend_from_slice(b"Photoshop 3.0\08BIM\x04\x04\0\0\0\0");
    let [.., high, low] = even.to_be_bytes();
    segment.extend([high, low]);
    segment.extend_from_slice(data);
    segment.resize(segment.len() + even - data.len(), 0);
    segment
}

fn iptcembed(call: &mut Call<'_>) -> PhpResult<Val> {
    const PRINT: i64 = 1;
    const PRINT_ONLY: i64 = 2;
    let (data, path, spool) = (call.str(0), call.path(1)?, call.int(2));
    if !basedir::allows(call.vm, &path)? {
        return Ok(Val::FALSE);
    }
    let Ok(image) = std::fs::read(os(&path)) else {
        call.warning(&format!("Unable to open {path}"))?;
        return Ok(Val::FALSE);
    };
    let mut copier = Copier { image: &image, at: 0, out: Vec::with_capacity(image.len() + data.len() + 64) };
    let is_jpeg = copier.embed(&data);
    if spool >= PRINT {
        ob::write(call.vm, &copier.out);
    }
    Ok(match () {
        () if !is_jpeg => Val::FALSE,
        () if spool >= PRINT_ONLY => Val::TRUE,
        () => copier.out.into(),
    })
}

//! Sizes of images from their headers (`getimagesize`), names of image types, and IPTC blocks.

use phlox_ext_standard_file::stream::open::{self, Options};
use phlox_runtime::ConstValue::Int;
use phlox_runtime::{Call, ConstValue, FnDef, Key, Level, PhpArr, PhpResult, PhpStr, Val};

pub const FUNCTIONS: &[FnDef] = &[
    FnDef::new("getimagesize(string $filename, &$image_info = null): array|false", getimagesize),
    FnDef::new("getimagesizefromstring(string $string, &$image_info = null): array|false", getimagesizefromstring),
    FnDef::new("image_type_to_mime_type(int $image_type): string", image_type_to_mime_type),
    FnDef::new(
        "image_type_to_extension(int $image_type, bool $include_dot = true): string|false",
        image_type_to_extension,
    ),
    FnDef::new("iptcparse(string $iptc_block): array|false", iptcparse),
];

const GIF: i64 = 1;
const JPEG: i64 = 2;
const PNG: i64 = 3;
const SWF: i64 = 4;
const PSD: i64 = 5;
const BMP: i64 = 6;
const TIFF_II: i64 = 7;
const TIFF_MM: i64 = 8;
const JPC: i64 = 9;
const JP2: i64 = 10;
const SWC: i64 = 13;
const IFF: i64 = 14;
const WBMP: i64 = 15;
const XBM: i64 = 16;
const ICO: i64 = 17;
const WEBP: i64 = 18;
const AVIF: i64 = 19;

const UNKNOWN_MIME: &str = "application/octet-stream";

/// The image types by number: the constant's name, the MIME type, the file extension.
const TYPES: [(&str, &str, &str); 20] = [
    ("UNKNOWN", UNKNOWN_MIME, ""),
    ("GIF", "image/gif", "gif"),
    ("JPEG", "image/jpeg", "jpeg"),
    ("PNG", "image/png", "png"),
    ("SWF", "application/x-shockwave-flash", "swf"),
    ("PSD", "image/psd", "psd"),
    ("BMP", "image/bmp", "bmp"),
    ("TIFF_II", "image/tiff", "tiff"),
    ("TIFF_MM", "image/tiff", "tiff"),
    ("JPC", UNKNOWN_MIME, "jpc"),
    ("JP2", "image/jp2", "jp2"),
    ("JPX", UNKNOWN_MIME, "jpx"),
    ("JB2", UNKNOWN_MIME, "jb2"),
    ("SWC", "application/x-shockwave-flash", "swf"),
    ("IFF", "image/iff", "iff"),
    ("WBMP", "image/vnd.wap.wbmp", "bmp"),
    ("XBM", "image/xbm", "xbm"),
    ("ICO", "image/vnd.microsoft.icon", "ico"),
    ("WEBP", "image/webp", "webp"),
    ("AVIF", "image/avif", "avif"),
];

pub const CONSTANTS: &[(&str, ConstValue)] = &[
    ("IMAGETYPE_GIF", Int(GIF)),
    ("IMAGETYPE_JPEG", Int(JPEG)),
    ("IMAGETYPE_PNG", Int(PNG)),
    ("IMAGETYPE_SWF", Int(SWF)),
    ("IMAGETYPE_PSD", Int(PSD)),
    ("IMAGETYPE_BMP", Int(BMP)),
    ("IMAGETYPE_TIFF_II", Int(TIFF_II)),
    ("IMAGETYPE_TIFF_MM", Int(TIFF_MM)),
    ("IMAGETYPE_JPC", Int(JPC)),
    ("IMAGETYPE_JP2", Int(JP2)),
    ("IMAGETYPE_JPX", Int(11)),
    ("IMAGETYPE_JB2", Int(12)),
    ("IMAGETYPE_SWC", Int(SWC)),
    ("IMAGETYPE_IFF", Int(IFF)),
    ("IMAGETYPE_WBMP", Int(WBMP)),
    ("IMAGETYPE_JPEG2000", Int(JPC)),
    ("IMAGETYPE_XBM", Int(XBM)),
    ("IMAGETYPE_ICO", Int(ICO)),
    ("IMAGETYPE_WEBP", Int(WEBP)),
    ("IMAGETYPE_AVIF", Int(AVIF)),
    ("IMAGETYPE_UNKNOWN", Int(0)),
    ("IMAGETYPE_COUNT", Int(20)),
];

fn row(kind: i64) -> Option<&'static (&'static str, &'static str, &'static str)> {
    usize::try_from(kind).ok().and_then(|kind| TYPES.get(kind))
}

fn image_type_to_mime_type(call: &mut Call<'_>) -> PhpResult<Val> {
    Ok(Val::str(row(call.int(0)).map_or(UNKNOWN_MIME, |row| row.1).as_bytes()))
}

fn image_type_to_extension(call: &mut Call<'_>) -> PhpResult<Val> {
    match row(call.int(0)).map(|row| row.2).filter(|extension| !extension.is_empty()) {
        Some(extension) if call.bool(1) => Ok(Val::str(format!(".{extension}").as_bytes())),
        Some(extension) => Ok(Val::str(extension.as_bytes())),
        None => Ok(Val::FALSE),
    }
}

/// The data of an image's header.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Size {
    width: u32,
    height: u32,
    bits: u32,
    channels: u32,
}

/// Bytes read in order.
struct Bytes<'a> {
    data: &'a [u8],
    at: usize,
}

impl<'a> Bytes<'a> {
    fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let part = self.data.get(self.at..self.at.checked_add(count)?)?;
        self.at += count;
        Some(part)
    }

    fn skip(&mut self, count: usize) {
        self.at = self.at.saturating_add(count);
    }

    fn byte(&mut self) -> Option<u8> {
        self.take(1).map(|byte| byte[0])
    }

    fn big16(&mut self) -> Option<u32> {
        self.take(2).map(|b| u32::from(b[0]) << 8 | u32::from(b[1]))
    }

    fn big32(&mut self) -> Option<u32> {
        self.take(4).map(big32)
    }
}

fn big32(bytes: &[u8]) -> u32 {
    bytes.iter().take(4).fold(0, |number, &byte| number << 8 | u32::from(byte))
}

fn little(bytes: &[u8]) -> u32 {
    bytes.iter().rev().fold(0, |number, &byte| number << 8 | u32::from(byte))
}

fn getimagesize(call: &mut Call<'_>) -> PhpResult<Val> {
    let path = call.path(0)?;
    clear_info(call)?;
    let Some(stream) = open::open(call.vm, &path, "rb", &Options::default())? else { return Ok(Val::FALSE) };
    let data = stream.read_all(call.vm, None)?;
    stream.close(call.vm)?;
    measure(call, &data, &path)
}

fn getimagesizefromstring(call: &mut Call<'_>) -> PhpResult<Val> {
    let data = call.str(0);
    clear_info(call)?;
    measure(call, &data, &data)
}

fn clear_info(call: &Call<'_>) -> PhpResult<()> {
    if call.was_passed(1) { call.assign(1, PhpArr::new().into()) } else { Ok(()) }
}

fn measure(call: &Call<'_>, data: &[u8], name: &PhpStr) -> PhpResult<Val> {
    let kind = kind_of(call, data, name)?;
    let size = match kind {
        GIF => gif(data),
        JPEG => jpeg(call, data)?,
        PNG => at(data, 16, 9).map(|b| Size { bits: b[8].into(), ..pair(big32(b), big32(&b[4..])) }),
        SWF => at(data, 8, 32).map(flash),
        SWC => compressed_flash(data),
        PSD => at(data, 14, 8).map(|b| pair(big32(&b[4..]), big32(b))),
        BMP => bmp(data),
        TIFF_II => tiff(data, little),
        TIFF_MM => tiff(data, |bytes| bytes.iter().fold(0, |number, &byte| number << 8 | u32::from(byte))),
        JPC => codestream(call, data, 3)?,
        JP2 => jp2(call, data)?,
        IFF => iff(data),
        WBMP => wbmp(data),
        XBM => xbm(data),
        ICO => ico(data),
        WEBP => webp(data),
        AVIF => avif(data),
        _ => None,
    };
    let Some(size) = size else { return Ok(Val::FALSE) };
    let mut table = PhpArr::new();
    let (width, height) = (size.width as i32, size.height as i32);
    let text = format!("width=\"{width}\" height=\"{height}\"");
    for value in [Val::int(size.width.into()), Val::int(size.height.into()), Val::int(kind), Val::str(text.as_bytes())]
    {
        let _ = table.push(value);
    }
    if size.bits != 0 {
        table.set_bytes(b"bits", Val::int(size.bits.into()));
    }
    if size.channels != 0 {
        table.set_bytes(b"channels", Val::int(size.channels.into()));
    }
    table.set_bytes(b"mime", Val::str(row(kind).map_or(UNKNOWN_MIME, |row| row.1).as_bytes()));
    Ok(table.into())
}

fn at(data: &[u8], from: usize, count: usize) -> Option<&[u8]> {
    data.get(from..from + count)
}

fn pair(width: u32, height: u32) -> Size {
    Size { width, height, ..Size::default() }
}

/// The type of an image by its first bytes.
fn kind_of(call: &Call<'_>, data: &[u8], name: &PhpStr) -> PhpResult<i64> {
    let short = || -> PhpResult<i64> {
        call.raise(Level::Notice, &[b"Error reading from ", phlox_runtime::until_nul(name), b"!"].concat())?;
        Ok(0)
    };
    if data.len() < 3 {
        return short();
    }
    let begins = |signature: &[u8]| data.starts_with(signature);
    let by_three: [(&[u8], i64); 8] = [
        (b"GIF", GIF),
        (b"\xff\xd8\xff", JPEG),
        (b"FWS", SWF),
        (b"CWS", SWC),
        (b"8BP", PSD),
        (b"BM", BMP),
        (b"\xff\x4f\xff", JPC),
        (b"\x89PN", PNG),
    ];
    if let Some(&(_, kind)) = by_three.iter().find(|(signature, _)| begins(signature)) {
        if kind != PNG {
            return Ok(kind);
        }
        if data.len() < 8 {
            return short();
        }
        if begins(b"\x89PNG\r\n\x1a\n") {
            return Ok(PNG);
        }
        call.warning("PNG file corrupted by ASCII conversion")?;
        return Ok(0);
    }
    if begins(b"RIF") {
        if data.len() < 12 {
            return short();
        }
        return Ok(if &data[8..12] == b"WEBP" { WEBP } else { 0 });
    }
    if data.len() < 4 {
        return short();
    }
    let by_four: [(&[u8], i64); 4] =
        [(b"II\x2a\x00", TIFF_II), (b"MM\x00\x2a", TIFF_MM), (b"FORM", IFF), (b"\x00\x00\x01\x00", ICO)];
    if let Some(&(_, kind)) = by_four.iter().find(|(signature, _)| begins(signature)) {
        return Ok(kind);
    }
    if begins(b"\x00\x00\x00\x0cjP  \r\n\x87\n") {
        return Ok(JP2);
    }
    if is_avif(data) {
        return Ok(AVIF);
    }
    if wbmp(data).is_some() {
        return Ok(WBMP);
    }
    if data.len() < 12 {
        return short();
    }
    Ok(if xbm(data).is_some() { XBM } else { 0 })
}

fn gif(data: &[u8]) -> Option<Size> {
    let b = at(data, 6, 5)?;
    let bits = if b[4] & 0x80 != 0 { u32::from(b[4] & 7) + 1 } else { 0 };
    Some(Size { width: little(&b[..2]), height: little(&b[2..4]), bits, channels: 3 })
}

fn bmp(data: &[u8]) -> Option<Size> {
    let b = at(data, 14, 16)?;
    match little(&b[..4]) {
        12 => Some(Size { bits: b[11].into(), ..pair(little(&b[4..6]), little(&b[6..8])) }),
        13..=64 | 108 | 124 => {
            let height = (little(&b[8..12]) as i32).unsigned_abs();
            Some(Size { bits: little(&b[14..16]), ..pair(little(&b[4..8]), height) })
        }
        _ => None,
    }
}

/// The rectangle at the start of a Flash film, in twentieths of a point.
fn flash(b: &[u8]) -> Size {
    let field = |from: usize, count: usize| -> i64 {
        (from..from + count)
            .fold(0, |number, bit| number << 1 | i64::from(b.get(bit / 8).copied().unwrap_or(0) >> (7 - bit % 8) & 1))
    };
    let bits = field(0, 5) as usize;
    let side = |number: usize| field(5 + number * bits, bits);
    pair(((side(1) - side(0)) / 20) as u32, ((side(3) - side(2)) / 20) as u32)
}

fn compressed_flash(data: &[u8]) -> Option<Size> {
    use std::io::Read;
    let mut start = [0; 64];
    let mut inflated = flate2::read::ZlibDecoder::new(data.get(8..)?);
    let mut filled = 0;
    while filled < start.len() {
        match inflated.read(&mut start[filled..]) {
            Ok(0) | Err(_) => break,
            Ok(count) => filled += count,
        }
    }
    (filled > 0).then(|| flash(&start))
}

fn jpeg(call: &Call<'_>, data: &[u8]) -> PhpResult<Option<Size>> {
    let wants_info = call.was_passed(1);
    // The third byte already belongs to the first marker.
    let mut bytes = Bytes { data, at: 3 };
    let mut size = None;
    let mut after_ff = true;
    let mut info = PhpArr::new();
    loop {
        let Some(marker) = next_marker(call, &mut bytes, &mut after_ff)? else { break };
        match marker {
            0xc0..=0xc3 | 0xc5..=0xc7 | 0xc9..=0xcb | 0xcd..=0xcf if size.is_none() => {
                let length = bytes.big16().unwrap_or(0);
                let bits = bytes.byte().map_or(u32::MAX, u32::from);
                let height = bytes.big16().unwrap_or(0);
                let width = bytes.big16().unwrap_or(0);
                let channels = bytes.byte().map_or(u32::MAX, u32::from);
                size = Some(Size { width, height, bits, channels });
                if !wants_info || length < 8 {
                    break;
                }
                bytes.skip(length as usize - 8);
            }
            0xe0..=0xef if wants_info => {
                let length = bytes.big16().unwrap_or(0);
                let Some(block) = length.checked_sub(2).and_then(|length| bytes.take(length as usize)) else { break };
                let name = PhpStr::new(format!("APP{}", marker - 0xe0).as_bytes());
                if !info.contains(Key::from_str(&name)) {
                    info.insert(Key::from_str(&name), Val::str(block));
                }
            }
            0xda | 0xd9 => break,
            _ => match bytes.big16().unwrap_or(0) {
                0 | 1 => break,
                length => bytes.skip(length as usize - 2),
            },
        }
    }
    if wants_info {
        call.assign(1, info.into())?;
    }
    Ok(size)
}

/// The next marker of a JPEG file; `None`: the end.
fn next_marker(call: &Call<'_>, bytes: &mut Bytes<'_>, after_ff: &mut bool) -> PhpResult<Option<u8>> {
    if !std::mem::take(after_ff) {
        let mut extraneous = 0;
        loop {
            match bytes.byte() {
                Some(0xff) => break,
                Some(_) => extraneous += 1,
                None => return Ok(None),
            }
        }
        if extraneous > 0 {
            call.warning(&format!("Corrupt JPEG data: {extraneous} extraneous bytes before marker"))?;
        }
    }
    loop {
        match bytes.byte() {
            Some(0xff) => {}
            other => return Ok(other),
        }
    }
}

/// A JPEG 2000 codestream after its first three bytes.
fn codestream(call: &Call<'_>, data: &[u8], from: usize) -> PhpResult<Option<Size>> {
    let mut bytes = Bytes { data, at: from };
    if bytes.byte() != Some(0x51) {
        call.warning("JPEG2000 codestream corrupt(Expected SIZ marker not found after SOC)")?;
        return Ok(None);
    }
    bytes.skip(4);
    let (width, height) = (bytes.big32().unwrap_or(0), bytes.big32().unwrap_or(0));
    bytes.skip(24);
    let Some(channels) = bytes.big16().filter(|&channels| channels <= 256) else { return Ok(None) };
    let mut bits = 0;
    for _ in 0..channels {
        bits = bits.max(bytes.byte().map_or(0, |depth| u32::from(depth) + 1));
        bytes.skip(2);
    }
    Ok(Some(Size { width, height, bits, channels }))
}

fn jp2(call: &Call<'_>, data: &[u8]) -> PhpResult<Option<Size>> {
    let mut bytes = Bytes { data, at: 12 };
    while let (Some(length), Some(kind)) = (bytes.big32(), bytes.take(4)) {
        if length == 1 {
            return Ok(None);
        }
        if kind == b"jp2c" {
            return codestream(call, data, bytes.at + 3);
        }
        let Some(rest) = (length as i32).checked_sub(8).and_then(|rest| usize::try_from(rest).ok()) else { break };
        bytes.skip(rest);
    }
    call.warning("JP2 file has no codestreams at root level")?;
    Ok(None)
}

fn tiff(data: &[u8], number: fn(&[u8]) -> u32) -> Option<Size> {
    let directory = number(at(data, 4, 4)?) as usize;
    let entries = number(data.get(directory..directory.checked_add(2)?)?) as usize;
    let table = data.get(directory + 2..(directory + 2).checked_add(entries * 12 + 4)?)?;
    let (mut width, mut height) = (0, 0);
    for entry in table.chunks_exact(12).take(entries) {
        let value = match number(&entry[2..4]) {
            1 | 6 => entry[8].into(),
            3 => number(&entry[8..10]),
            8 => number(&entry[8..10]) as u16 as i16 as u32,
            4 | 9 => number(&entry[8..12]),
            _ => continue,
        };
        match number(&entry[..2]) {
            0x0100 | 0xa002 => width = value,
            0x0101 | 0xa003 => height = value,
            _ => {}
        }
    }
    (width != 0 && height != 0).then(|| pair(width, height))
}

fn iff(data: &[u8]) -> Option<Size> {
    let mut bytes = Bytes { data, at: 8 };
    if !matches!(bytes.take(4)?, b"ILBM" | b"PBM ") {
        return None;
    }
    loop {
        let (kind, length) = (bytes.take(4)?, bytes.big32()? as i32);
        let length = length.checked_add(length & 1).filter(|&length| length >= 0)?;
        if kind != b"BMHD" {
            bytes.skip(length as usize);
            continue;
        }
        let header = bytes.take(9).filter(|_| length >= 9)?;
        let side = |from: usize| (u16::from(header[from]) << 8 | u16::from(header[from + 1])) as i16;
        let (width, height, bits) = (side(0), side(2), u32::from(header[8]));
        let fits = width > 0 && height > 0 && (1..33).contains(&bits);
        return fits.then(|| Size { bits, ..pair(width as u32, height as u32) });
    }
}

fn wbmp(data: &[u8]) -> Option<Size> {
    let mut bytes = Bytes { data, at: 0 };
    if bytes.byte()? != 0 {
        return None;
    }
    while bytes.byte()? & 0x80 != 0 {}
    let mut number = || -> Option<u32> {
        let mut number = 0;
        loop {
            let byte = bytes.byte()?;
            number = number << 7 | u32::from(byte & 0x7f);
            if number > 2048 {
                return None;
            }
            if byte & 0x80 == 0 {
                return Some(number);
            }
        }
    };
    let (width, height) = (number()?, number()?);
    (width != 0 && height != 0).then(|| pair(width, height))
}

fn xbm(data: &[u8]) -> Option<Size> {
    let (mut width, mut height) = (0, 0);
    for line in data.split(|&byte| byte == b'\n') {
        let Ok(line) = std::str::from_utf8(line) else { continue };
        let mut words = line.split_ascii_whitespace();
        let (Some("#define"), Some(name), Some(value)) = (words.next(), words.next(), words.next()) else { continue };
        let digits = value.find(|c: char| !c.is_ascii_digit() && c != '-').unwrap_or(value.len());
        let Ok(value) = value[..digits].parse::<i32>() else { continue };
        match name.rsplit('_').next() {
            Some("width") => width = value as u32,
            Some("height") => height = value as u32,
            _ => continue,
        }
        if width != 0 && height != 0 {
            return Some(pair(width, height));
        }
    }
    None
}

/// The icon with the most colours.
fn ico(data: &[u8]) -> Option<Size> {
    let icons = little(at(data, 4, 2)?);
    if !(1..=255).contains(&icons) {
        return None;
    }
    let mut best = Size::default();
    for entry in data[6..].chunks_exact(16).take(icons as usize) {
        let bits = little(&entry[6..8]);
        if bits >= best.bits {
            best = Size { bits, ..pair(entry[0].into(), entry[1].into()) };
        }
    }
    for side in [&mut best.width, &mut best.height] {
        if *side == 0 {
            *side = 256;
        }
    }
    Some(best)
}

fn webp(data: &[u8]) -> Option<Size> {
    let b = at(data, 12, 18)?;
    let wide = |from: usize| u32::from(b[from]);
    let size = match &b[..4] {
        b"VP8 " => pair(wide(14) + ((wide(15) & 0x3f) << 8), wide(16) + ((wide(17) & 0x3f) << 8)),
        b"VP8L" => pair(
            wide(9) + ((wide(10) & 0x3f) << 8) + 1,
            (wide(10) >> 6) + (wide(11) << 2) + ((wide(12) & 0xf) << 10) + 1,
        ),
        b"VP8X" => pair(little(&b[12..15]) + 1, little(&b[15..18]) + 1),
        _ => return None,
    };
    Some(Size { bits: 8, ..size })
}

/// The boxes of an ISO media file: type and content.
fn boxes(data: &[u8]) -> impl Iterator<Item = (&[u8], &[u8])> {
    let mut rest = data;
    std::iter::from_fn(move || {
        let length = big32(rest.get(..4)?) as usize;
        let length = if length == 0 { rest.len() } else { length };
        let kind = rest.get(4..8)?;
        let content = rest.get(8..length.min(rest.len()))?;
        rest = &rest[length.min(rest.len())..];
        Some((kind, content))
    })
}

fn is_avif(data: &[u8]) -> bool {
    boxes(data).next().is_some_and(|(kind, brands)| {
        kind == b"ftyp" && brands.chunks_exact(4).any(|brand| matches!(brand, b"avif" | b"avis"))
    })
}

/// The types by which an auxiliary image declares itself to be the alpha channel of another one.
const ALPHA: [&[u8]; 2] = [b"urn:mpeg:mpegB:cicp:systems:auxiliary:alpha", b"urn:mpeg:hevc:2015:auxid:1"];

/// The size and depth of the primary image. An alpha channel, which is an auxiliary image, counts as one more channel.
fn avif(data: &[u8]) -> Option<Size> {
    let find = |data: &[u8], wanted: &[u8], skip: usize| -> Option<(usize, usize)> {
        let (_, content) = boxes(data).find(|(kind, _)| *kind == wanted)?;
        let from = content.as_ptr() as usize - data.as_ptr() as usize;
        Some((from + skip, from + content.len()))
    };
    let (from, to) = find(data, b"meta", 4)?;
    let meta = data.get(from..to)?;
    let (from, to) = find(meta, b"iprp", 0)?;
    let properties = meta.get(from..to)?;
    let (from, to) = find(properties, b"ipco", 0)?;
    let list = properties.get(from..to)?;
    let mut size = Size::default();
    let mut transparency = 0;
    for (kind, content) in boxes(list) {
        match kind {
            b"auxC" if ALPHA.iter().any(|name| content.get(4..).is_some_and(|text| text.starts_with(name))) => {
                transparency = 1;
            }
            b"ispe" if size.width == 0 && content.len() >= 12 => {
                (size.width, size.height) = (big32(&content[4..]), big32(&content[8..]));
            }
            b"pixi" if size.channels == 0 && content.len() >= 6 => {
                (size.channels, size.bits) = (content[4].into(), content[5].into());
            }
            _ => {}
        }
    }
    size.channels += if size.channels == 0 { 0 } else { transparency };
    (size.width != 0).then_some(size)
}

fn iptcparse(call: &mut Call<'_>) -> PhpResult<Val> {
    let data = call.str(0);
    let starts = |at: usize| data[at] == 0x1c && matches!(data.get(at + 1), Some(1 | 2));
    let Some(first) = (0..data.len()).find(|&at| starts(at)) else { return Ok(Val::FALSE) };
    let mut table = PhpArr::new();
    let mut bytes = Bytes { data: &data, at: first };
    while bytes.byte() == Some(0x1c) && bytes.at + 4 < data.len() {
        let (Some(dataset), Some(record)) = (bytes.byte(), bytes.byte()) else { break };
        let is_long = data.get(bytes.at).is_some_and(|byte| byte & 0x80 != 0);
        let length = if is_long {
            if bytes.at + 6 >= data.len() {
                break;
            }
            bytes.skip(2);
            bytes.big32()
        } else {
            bytes.big16()
        };
        let Some(value) = length.and_then(|length| bytes.take(length as usize)) else { break };
        let key = PhpStr::new(format!("{dataset}#{record:03}").as_bytes());
        let (place, _) = table.entry(Key::from_str(&key));
        let mut list = place.take().into_arr().unwrap_or_default();
        let _ = list.push(Val::str(value));
        place.set(list.into());
    }
    Ok(if table.is_empty() { Val::FALSE } else { table.into() })
}

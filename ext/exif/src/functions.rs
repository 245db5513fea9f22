//! The functions.

use crate::image::{Image, name};
use crate::tags;
use crate::text::until_nul;
use crate::value::{Data, Item, NAMES, Number, Section, add_section};
use phlox_ext_standard_file::stream::open::{self, Options, os};
use phlox_ext_standard_file::stream::{SEEK_SET, Stream};
use phlox_ext_standard_file::{handles, path};
use phlox_runtime::{Call, FnDef, PhpArr, PhpResult, Val, convert};
use std::os::unix::fs::MetadataExt;
use std::rc::Rc;

/// The functions, in the order of PHP's declarations.
pub const FUNCTIONS: &[FnDef] = &[
    FnDef::new("exif_tagname(int $index): string|false", exif_tagname),
    FnDef::new(
        "exif_read_data($file, ?string $required_sections = null, bool $as_arrays = false, \
         bool $read_thumbnail = false): array|false",
        exif_read_data,
    ),
    FnDef::new(
        "exif_thumbnail($file, &$width = null, &$height = null, &$image_type = null): string|false",
        exif_thumbnail,
    ),
    FnDef::new("exif_imagetype(string $filename): int|false", exif_imagetype),
];

fn exif_tagname(call: &mut Call<'_>) -> PhpResult<Val> {
    let tag = u16::try_from(call.int(0)).ok();
    Ok(tag.and_then(|tag| name(tag, tags::IFD)).map_or(Val::FALSE, Val::from))
}

/// The bits of the sections that a list names; spaces separate names as well.
fn wanted_sections(list: &[u8]) -> u32 {
    let mut wanted = 0;
    for part in until_nul(list).split(|byte| b", ".contains(byte)) {
        if let Some(number) = NAMES.iter().position(|name| name.as_bytes() == part) {
            wanted |= 1 << number;
        }
    }
    wanted
}

/// Reads what the first argument is: a stream, or the path of a file. The flag: it could be read.
fn read_image<'c, 'a>(call: &'c Call<'a>, reads_thumbnail: bool) -> PhpResult<Option<(Image<'c, 'a>, bool)>> {
    let vm = call.vm;
    if call.arg(0).as_res().is_some() {
        let (_, stream) = handles::resource_argument(call, 0)?;
        let position = stream.tell();
        if position != 0 {
            stream.seek(vm, 0, SEEK_SET)?;
        }
        let image = read_stream(call, stream.clone(), reads_thumbnail)?;
        if position != 0 {
            stream.seek(vm, position, SEEK_SET)?;
        }
        return Ok(Some(image));
    }
    let path = convert::to_str(vm, &call.arg(0))?;
    if path.is_empty() {
        return Err(call.value_error(0, "must not be empty"));
    }
    if path.contains(&0) {
        return Err(call.value_error(0, "must not contain any null bytes"));
    }
    let options = Options { silent: true, ..Options::default() };
    let Some(stream) = open::open(vm, &path, "rb", &options)? else {
        call.warning("Unable to open file")?;
        return Ok(None);
    };
    let image = read_stream(call, stream.clone(), reads_thumbnail);
    stream.close_after(vm, image).map(Some)
}

fn read_stream<'c, 'a>(
    call: &'c Call<'a>,
    stream: Rc<Stream>,
    reads_thumbnail: bool,
) -> PhpResult<(Image<'c, 'a>, bool)> {
    let is_plain = stream.kind() == "STDIO";
    let uri = stream.uri.clone();
    let mut image = Image::new(call, stream, reads_thumbnail);
    if is_plain {
        let meta = uri.as_ref().and_then(|uri| std::fs::metadata(os(uri)).ok());
        if let Some((uri, meta)) = uri.zip(meta) {
            if !meta.is_file() {
                image.warn("Not a file")?;
                return Ok((image, false));
            }
            image.file_name = Some(path::basename(&uri, b"").to_vec());
            (image.file_time, image.file_size) = (meta.mtime(), meta.len());
        }
    } else {
        image.file_size = image.measure()?;
    }
    let is_whole = image.read_file()?;
    Ok((image, is_whole))
}

fn exif_read_data(call: &mut Call<'_>) -> PhpResult<Val> {
    let wanted = call.opt_str(1).map_or(0, |list| wanted_sections(&list));
    let (as_arrays, reads_thumbnail) = (call.bool(2), call.bool(3));
    let Some((mut image, is_whole)) = read_image(call, reads_thumbnail)? else { return Ok(Val::FALSE) };
    let found: Vec<&str> =
        NAMES.iter().enumerate().filter(|(number, _)| image.found & 1 << number != 0).map(|(_, name)| *name).collect();
    image.found |= Section::Computed.bit() | Section::File.bit();
    if !is_whole || (wanted != 0 && wanted & image.found == 0) {
        return Ok(Val::FALSE);
    }
    add_file(&mut image, &found.join(", "));
    add_computed(&mut image);
    add_thumbnail(&mut image)?;
    let mut result = PhpArr::new();
    use Section::*;
    for section in
        [File, Computed, AnyTag, Ifd0, Thumbnail, Comment, Exif, Gps, Interop, FlashPix, App12, WinXp, MakerNote]
    {
        let is_array = as_arrays || matches!(section, Computed | Thumbnail | Comment);
        add_section(&mut result, section, &image.items[section as usize], is_array);
    }
    Ok(result.into())
}

/// An integer among the values, cut to 32 bits.
fn integer(name: &str, number: i64) -> Item {
    Item::computed(name, Data::Numbers(vec![Number::Signed(number as i32)]))
}

fn text(name: &str, text: impl Into<Vec<u8>>) -> Item {
    Item::computed(name, Data::Text(text.into()))
}

fn mime_type(kind: i64) -> &'static str {
    match kind {
        2 => "image/jpeg",
        7 | 8 => "image/tiff",
        _ => "application/octet-stream",
    }
}

fn add_file(image: &mut Image<'_, '_>, found: &str) {
    if let Some(name) = image.file_name.clone() {
        image.add(Section::File, text("FileName", name));
    }
    let (time, size, kind) = (image.file_time, image.file_size, image.kind);
    for item in [
        integer("FileDateTime", time),
        integer("FileSize", size as i64),
        integer("FileType", kind),
        text("MimeType", mime_type(kind)),
        text("SectionsFound", found),
    ] {
        image.add(Section::File, item);
    }
}

fn add_computed(image: &mut Image<'_, '_>) {
    let computed = std::mem::take(&mut image.computed);
    let mut items = Vec::new();
    let (width, height) = (computed.width as i32, computed.height as i32);
    if width > 0 && height > 0 {
        items.push(text("html", format!("width=\"{width}\" height=\"{height}\"")));
        items.push(integer("Height", height.into()));
        items.push(integer("Width", width.into()));
    }
    items.push(integer("IsColor", computed.is_color.into()));
    if let Some(order) = image.order {
        items.push(integer("ByteOrderMotorola", i64::from(order == crate::number::Order::Motorola)));
    }
    if computed.ccd_width != 0.0 {
        items.push(text("CCDWidth", format!("{}mm", truncated(computed.ccd_width))));
    }
    if computed.exposure_time > 0.0 {
        let time = computed.exposure_time;
        let part = 0.5 + 1.0 / time;
        let suffix =
            if time <= 0.5 && part < i32::MAX as f32 { format!(" (1/{})", part as i32) } else { String::new() };
        items.push(text("ExposureTime", format!("{time:.3} s{suffix}")));
    }
    if computed.aperture != 0.0 {
        items.push(text("ApertureFNumber", format!("f/{:.1}", computed.aperture)));
    }
    if computed.distance < 0.0 {
        items.push(text("FocusDistance", "Infinite"));
    } else if computed.distance != 0.0 {
        items.push(text("FocusDistance", format!("{:.2}m", computed.distance)));
    }
    if let Some(comment) = computed.user_comment {
        let data = if comment.is_empty() { Data::Nothing } else { Data::Bytes(comment) };
        items.push(Item::computed("UserComment", data));
        items.extend(computed.user_comment_encoding.map(|encoding| text("UserCommentEncoding", encoding)));
    }
    items.extend(computed.copyright.map(|owner| text("Copyright", owner)));
    items.extend(computed.photographer.map(|owner| text("Copyright.Photographer", owner)));
    items.extend(computed.editor.map(|owner| text("Copyright.Editor", owner)));
    items.into_iter().for_each(|item| image.add(Section::Computed, item));
    for (tag, value) in computed.xp_texts {
        image.add(Section::WinXp, text(crate::image::name_in_message(tag, tags::IFD), value));
    }
}

fn add_thumbnail(image: &mut Image<'_, '_>) -> PhpResult<()> {
    if image.thumbnail.size != 0 {
        if image.reads_thumbnail {
            let data = image.thumbnail.data.clone().filter(|data| !data.is_empty());
            image.add(Section::Thumbnail, Item::computed("THUMBNAIL", data.map_or(Data::Nothing, Data::Bytes)));
        }
        if image.thumbnail.width == 0 || image.thumbnail.height == 0 {
            image.scan_thumbnail()?;
        }
        let kind = image.thumbnail.kind;
        image.add(Section::Computed, integer("Thumbnail.FileType", kind));
        image.add(Section::Computed, text("Thumbnail.MimeType", mime_type(kind)));
    }
    let (width, height) = (image.thumbnail.width, image.thumbnail.height);
    if width != 0 && height != 0 {
        image.add(Section::Computed, integer("Thumbnail.Height", height as i64));
        image.add(Section::Computed, integer("Thumbnail.Width", width as i64));
    }
    Ok(())
}

fn exif_thumbnail(call: &mut Call<'_>) -> PhpResult<Val> {
    let Some((mut image, is_whole)) = read_image(call, true)? else { return Ok(Val::FALSE) };
    let data = image.thumbnail.data.clone().filter(|_| is_whole && image.thumbnail.size != 0);
    let Some(data) = data else { return Ok(Val::FALSE) };
    if call.passed >= 3 {
        let is_known = image.thumbnail.width != 0 && image.thumbnail.height != 0;
        if !is_known && !image.scan_thumbnail()? {
            (image.thumbnail.width, image.thumbnail.height) = (0, 0);
        }
        call.assign(1, Val::int(image.thumbnail.width as i64))?;
        call.assign(2, Val::int(image.thumbnail.height as i64))?;
    }
    if call.passed >= 4 {
        call.assign(3, Val::int(image.thumbnail.kind))?;
    }
    Ok(data.into())
}

fn exif_imagetype(call: &mut Call<'_>) -> PhpResult<Val> {
    let path = call.path(0)?;
    let Some(stream) = open::open(call.vm, &path, "rb", &Options::default())? else { return Ok(Val::FALSE) };
    let kind = kind_of(call, &stream, &path);
    let kind = stream.close_after(call.vm, kind)?;
    Ok(kind.map_or(Val::FALSE, Val::int))
}

/// Types of images that their first bytes tell, by the numbers of PHP's constants.
const SIGNATURES: [(&[u8], i64); 13] = [
    (b"GIF", 1),
    (b"\xff\xd8\xff", 2),
    (b"\x89PNG\r\n\x1a\n", 3),
    (b"FWS", 4),
    (b"8BP", 5),
    (b"BM", 6),
    (b"II\x2a\0", 7),
    (b"MM\0\x2a", 8),
    (b"\xff\x4f\xff", 9),
    (b"\0\0\0\x0cjP  \r\n\x87\n", 10),
    (b"CWS", 13),
    (b"FORM", 14),
    (b"\0\0\x01\0", 17),
];

/// The type of an image, if it is one.
fn kind_of(call: &Call<'_>, stream: &Stream, path: &[u8]) -> PhpResult<Option<i64>> {
    const MOST: usize = 1 << 16;
    let data = stream.read_all(call.vm, Some(MOST))?;
    let too_short = || {
        call.raise(phlox_runtime::Level::Notice, &[b"Error reading from ", path, b"!"].concat())?;
        Ok(None)
    };
    if data.len() < 3 || (data.starts_with(b"\x89PN") && data.len() < 8) {
        return too_short();
    }
    if data.starts_with(b"RIFF") && data.get(8..12) == Some(b"WEBP") {
        return Ok(Some(18));
    }
    if data.starts_with(b"\x89PN") && !data.starts_with(b"\x89PNG\r\n\x1a\n") {
        call.warning("PNG file corrupted by ASCII conversion")?;
        return Ok(None);
    }
    if let Some((_, kind)) = SIGNATURES.iter().find(|(start, _)| data.starts_with(start)) {
        return Ok(Some(*kind));
    }
    if data.len() < 12 {
        return too_short();
    }
    // The other types are told by more than a start, which the function for sizes looks at.
    let rows = phlox_ext_standard::EXTENSION.functions.iter().flat_map(|rows| rows.iter());
    let Some(row) = rows.into_iter().find(|row| row.name() == "getimagesizefromstring") else { return Ok(None) };
    let args = [data.into()];
    let (vm, func) = (call.vm, call.func);
    let size =
        (row.body)(&mut Call { vm, func, object: None, static_class: None, args: &args, passed: 1, unusual: None })?;
    Ok(size.as_arr().and_then(|size| size.get_int(2)).and_then(|kind| kind.as_int()))
}

/// A number without its fraction; the smallest one where it is none of 32 bits, as with PHP.
fn truncated(number: f32) -> i32 {
    if number.is_finite() && number.abs() < i32::MAX as f32 { number as i32 } else { i32::MIN }
}

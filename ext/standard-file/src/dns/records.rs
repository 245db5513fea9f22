//! Records of an answer as arrays.

use domain::base::message::RecordSection;
use domain::base::record::ParsedRecord;
use domain::base::wire::ParseError;
use domain::base::{CharStr, ParsedName, Rtype, UnknownRecordData};
use domain::rdata::AllRecordData;
use phlox_runtime::{PhpArr, Val};

type Record<'a> = ParsedRecord<'a, Vec<u8>>;
type Data<'a> = AllRecordData<&'a [u8], ParsedName<&'a [u8]>>;

/// Appends the records of a section, of one type or of all, up to the first damaged one.
pub(super) fn collect(
    section: Result<RecordSection<'_, Vec<u8>>, ParseError>,
    only: Option<Rtype>,
    raw: bool,
    out: &mut PhpArr,
) {
    for record in section.into_iter().flatten() {
        let Ok(record) = record else { return };
        if only.is_some_and(|only| only != record.rtype()) || record.rdlen() == 0 {
            continue;
        }
        if let Some(shown) = if raw { raw_record(&record) } else { typed_record(&record) } {
            let _ = out.push(shown.into());
        }
    }
}

/// A name without the dot at its end.
pub(super) fn name_text(name: &impl std::fmt::Display) -> String {
    let text = name.to_string();
    text.strip_suffix('.').unwrap_or(&text).to_owned()
}

fn start(record: &Record<'_>) -> PhpArr {
    let mut shown = PhpArr::new();
    shown.set_bytes(b"host", name_text(&record.owner()).into());
    shown.set_bytes(b"class", "IN".into());
    shown.set_bytes(b"ttl", Val::int(record.ttl().as_secs().into()));
    shown
}

fn raw_record(record: &Record<'_>) -> Option<PhpArr> {
    let data = record.to_record::<UnknownRecordData<&[u8]>>().ok()??;
    let mut shown = start(record);
    shown.set_bytes(b"type", Val::int(record.rtype().to_int().into()));
    shown.set_bytes(b"data", Val::str(data.data().data()));
    Some(shown)
}

/// A record with the fields of its type; `None`: scripts do not see such records.
fn typed_record(record: &Record<'_>) -> Option<PhpArr> {
    let data: Data<'_> = record.to_any_record().ok()?.into_data();
    let mut shown = start(record);
    let mut set = |name: &str, value: Val| shown.set_bytes(name.as_bytes(), value);
    let int = |value: u16| Val::int(value.into());
    let text = |text: &CharStr<&[u8]>| Val::str(text.as_slice());
    let name = |name: &ParsedName<&[u8]>| Val::from(name_text(name));
    set("type", record.rtype().to_string().into());
    match &data {
        AllRecordData::A(data) => set("ip", data.addr().to_string().into()),
        AllRecordData::Aaaa(data) => set("ipv6", data.addr().to_string().into()),
        AllRecordData::Ns(data) => set("target", name(data.nsdname())),
        AllRecordData::Cname(data) => set("target", name(data.cname())),
        AllRecordData::Ptr(data) => set("target", name(data.ptrdname())),
        AllRecordData::Mx(data) => {
            set("pri", int(data.preference()));
            set("target", name(data.exchange()));
        }
        AllRecordData::Hinfo(data) => {
            set("cpu", text(data.cpu()));
            set("os", text(data.os()));
        }
        AllRecordData::Caa(data) => {
            set("flags", int(data.flags().bits().into()));
            set("tag", data.tag().to_string().into());
            set("value", Val::str(data.value()));
        }
        AllRecordData::Txt(data) => {
            let entries: Vec<&[u8]> = data.iter().collect();
            set("txt", entries.concat().into());
            let entries = entries.into_iter().filter(|entry| !entry.is_empty());
            set("entries", entries.map(Val::str).collect::<PhpArr>().into());
        }
        AllRecordData::Soa(data) => {
            set("mname", name(data.mname()));
            set("rname", name(data.rname()));
            set("serial", Val::int(data.serial().into_int().into()));
            for (field, time) in [
                ("refresh", data.refresh()),
                ("retry", data.retry()),
                ("expire", data.expire()),
                ("minimum-ttl", data.minimum()),
            ] {
                set(field, Val::int(time.as_secs().into()));
            }
        }
        AllRecordData::Srv(data) => {
            set("pri", int(data.priority()));
            set("weight", int(data.weight()));
            set("port", int(data.port()));
            set("target", name(data.target()));
        }
        AllRecordData::Naptr(data) => {
            set("order", int(data.order()));
            set("pref", int(data.preference()));
            set("flags", text(data.flags()));
            set("services", text(data.services()));
            set("regex", text(data.regexp()));
            set("replacement", name(data.replacement()));
        }
        _ => return None,
    }
    Some(shown)
}

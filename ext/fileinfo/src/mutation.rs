//! Damaged files and damaged rules: nothing panics, and nothing takes long.

use crate::identify::identify;
use crate::input::{Bytes, Input, Origin};
use crate::load;
use crate::output::{APPLE, CONTINUE, EXTENSION, MIME, Output};
use crate::rule::Rules;
use std::rc::Rc;

/// The generator xorshift64.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit.max(1) as u64) as usize
    }

    /// Changes, cuts, doubles or removes a few places.
    fn damage(&mut self, data: &[u8]) -> Vec<u8> {
        let mut data = data.to_vec();
        for _ in 0..1 + self.below(4) {
            let at = self.below(data.len());
            match self.below(6) {
                0 | 1 if !data.is_empty() => data[at] = self.below(256) as u8,
                2 if !data.is_empty() => data[at] = [0, 1, 0x7f, 0x80, 0xff][self.below(5)],
                3 => data.truncate(at),
                4 => {
                    let end = data.len().min(at + self.below(64));
                    data.extend_from_within(at..end);
                }
                _ => drop(data.drain(at..data.len().min(at + self.below(8)))),
            }
        }
        data
    }
}

fn test(data: &[u8], sets: &[Rc<Rules>]) {
    for flags in [0, MIME, EXTENSION, APPLE, CONTINUE] {
        let mut out = Output::new(flags);
        let done = identify(&mut out, sets, &Input::new(Bytes::Borrowed(data), Origin::default()));
        assert!(done.is_err() || out.result().is_some() || !out.failure().1.is_empty());
    }
}

/// A compound document whose directory has one stream of properties.
fn document() -> Vec<u8> {
    let words = |words: &[u32]| words.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<u8>>();
    let mut data = vec![0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1];
    data.extend([0; 16]);
    data.extend([0x3e, 0, 3, 0, 0xfe, 0xff, 9, 0, 6, 0]);
    data.extend([0; 10]);
    data.extend(words(&[1, 1, 0, 0, u32::MAX - 1, 0, u32::MAX - 1, 0, 0]));
    data.resize(512, 0xff);
    data.extend(words(&[u32::MAX - 2, u32::MAX - 1, u32::MAX - 1]));
    data.resize(1024, 0xff);
    for (name, kind, first) in [("Root Entry", 5u8, u32::MAX - 1), ("\u{5}SummaryInformation", 2, 2)] {
        let mut entry: Vec<u8> = name.encode_utf16().flat_map(u16::to_le_bytes).collect();
        entry.resize(66, 0);
        entry.push(kind);
        entry.resize(116, 0);
        entry.extend(words(&[first, 512, 0]));
        data.extend(entry);
    }
    data.resize(1536, 0);
    data.extend([0xfe, 0xff, 0, 0, 5, 1, 2, 0]);
    data.extend([0; 16]);
    data.extend(words(&[1, 0, 0, 0, 0, 48, 64, 4, 2, 40, 10, 50, 14, 62, 0x1000, 70]));
    data.extend(words(&[0x1e, 4, u32::from_le_bytes(*b"abc\0"), 0x40, 1, 2, 3, 7]));
    data.resize(2048, 0);
    data
}

fn samples() -> Vec<Vec<u8>> {
    let texts: [&[u8]; 16] = [
        b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\x02\0\x3e\0\x01\0\0\0\0\0\0\0\0\0\0\0",
        b"GIF89a\x10\0\x20\0\x80\0\0\0\0\0\xff\xff\xff;",
        b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x10\0\0\0\x20\x08\x02\0\0\0",
        b"\xff\xd8\xff\xe1\0\x30Exif\0\0MM\0\x2a\0\0\0\x08\0\x02\x01\x0f\0\x02\0\0\0\x05\0\0\0\x26abcd\0",
        b"PK\x03\x04\x14\0\0\0\x08\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x08\0\0\0mimetypeapplication/epub+zip",
        b"RIFF\x24\0\0\0WAVEfmt \x10\0\0\0\x01\0\x02\0\x44\xac\0\0\x10\xb1\x02\0\x04\0\x10\0data",
        b"MZ\x90\0\x03\0\0\0\x04\0\0\0\xff\xff\0\0\xb8\0\0\0\0\0\0\0\x40\0\0\0\0\0\0\0PE\0\0\x64\x86\x02\0",
        b"ID3\x03\0\0\0\0\0\x0a\0\0\0\0\0\0\0\0\0\0\xff\xfb\x90\x64",
        b"\0\0\0\x18ftypmp42\0\0\0\0mp42isom\0\0\0\x08moov",
        b"0\x82\x01\x22\x30\x0d\x06\x09\x2a\x86\x48\x86\xf7\x0d\x01\x01\x01\x05\0\x03\x82\x01\x0f\0",
        b"{\"a\": [1, 2.5e3, true, null, \"\\u00e9\"], \"b\": {\"c\": {}}}\n",
        b"a,b,c\n1,\"2,\"\"x\",3\n4,5,6\n",
        b"#!/usr/bin/env php\n<?php\nnamespace A;\nclass B extends C {}\n#include <stdio.h>\n",
        "\u{feff}<?xml version=\"1.0\"?>\n<svg xmlns=\"x\">gr\u{fc}\u{df}e</svg>\n".as_bytes(),
        b"\xff\xfea\0b\0\x3d\xd8\x4d\xdc\n\0",
        b"\x08\0\0\0abcdefgh\x08\0\0\0\0\0\0\0",
    ];
    let mut samples: Vec<Vec<u8>> = texts.iter().map(|text| text.to_vec()).collect();
    let mut tar = vec![0; 1024];
    tar[..4].copy_from_slice(b"name");
    tar[148..156].copy_from_slice(b"002347\0 ");
    tar[257..263].copy_from_slice(b"ustar\0");
    samples.push(tar);
    samples.push(document());
    samples
}

#[test]
fn damaged_files_are_something() {
    let sets = [load::built_in()];
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    for sample in samples() {
        test(&sample, &sets);
        for _ in 0..60 {
            test(&random.damage(&sample), &sets);
        }
    }
}

const RULES: &[u8] = br#"
0	string/cW	one\ two	first
!:mime	application/x-one
!:strength	+10
>&(3.b+(-1))	ubyte&0x0f	>1	\b, byte %d
>(0.l*2)	bequad	x	%lld
>-4	lelong~	<0	\b, negative %x
0	search/20	needle	a needle
>&0	use	\^part
0	regex/1l	^lines?=[0-9]+	%s
>4	if	byte	1	is one
>4	else	leqwdate	x	%s
0	name	part
>0	pstring/LJ	>\0	"%s"
>0	indirect/r	x
>>0	der	seq=x	%s
>0	guid	00112233-4455-6677-8899-aabbccddeeff	guid %s
>0	default	x	%
0	lestring16	wide	wide
0	lefloat	>1.5	%g
"#;

#[test]
fn damaged_rules_are_refused_or_tried() {
    let mut random = Random(0x2545_f491_4f6c_dd1d);
    let files = samples();
    for round in 0..3000 {
        let compiled = load::compile(&[random.damage(RULES)]);
        let Some(rules) = compiled.rules else { continue };
        test(&random.damage(&files[round % files.len()]), &[Rc::new(rules)]);
    }
}

#[test]
fn damaged_compiled_rules_are_refused_or_tried() {
    let mut random = Random(0x853c_49e6_748f_ea9b);
    let files = samples();
    let header =
        |tried: u32| [0xf11e_041c_u32, 18, tried, 2].iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<u8>>();
    for round in 0..3000 {
        let count = 1 + random.below(6);
        let mut data = header(count as u32);
        data.resize(376 * (count + 3), 0);
        for place in data[376..].chunks_mut(376) {
            for byte in place.iter_mut().take(48) {
                let limit = [256, 64][random.below(2)];
                *byte = random.below(limit) as u8;
            }
            place[0] = random.below(3) as u8;
            place[1] = 0;
            place[4] = b"=!<>x&^"[random.below(7)];
            place[160..163].copy_from_slice(b"x%s");
        }
        if let Some(rules) = load::read_compiled(&data) {
            test(&files[round % files.len()], &[Rc::new(rules)]);
        }
        assert!(load::read_compiled(&random.damage(&data)).is_none_or(|rules| rules.all.len() == count + 2));
    }
}

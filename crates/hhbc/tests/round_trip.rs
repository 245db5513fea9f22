//! A unit in which every field has a value of its own goes through the text form and the binary form and comes back
//! whole. Structures are written out in full, so that a new field does not compile until it is added here.

use phlox_hhbc::binary::{Bytes, decode_lazily};
use phlox_hhbc::imm::{Imm, ImmKind};
use phlox_hhbc::*;
use std::sync::Arc;

#[test]
fn no_field_is_lost_in_either_form() {
    let unit = unit();
    let text = disassemble(&unit);
    let from_text = assemble(&text).unwrap_or_else(|error| panic!("{error} of\n{text}"));
    assert_eq!(from_text, unit, "text form\n{text}");
    assert_eq!(disassemble(&from_text), text);
    let bytes = encode(&from_text).unwrap();
    assert_eq!(decode(&bytes).unwrap(), unit, "binary form");
    assert_eq!(encode(&unit).unwrap(), bytes);
    let padded: Bytes = Arc::new([vec![7; 3], bytes].concat());
    assert_eq!(decode_lazily(&padded, 3).unwrap(), unit, "binary form, read later");
}

/// The text form writes a field unless it has its default: a unit without defaults shows every name of a field.
#[test]
fn every_field_is_in_the_text() {
    let text = disassemble(&unit());
    for name in FIELDS.split_whitespace() {
        assert!(text.contains(&format!("{name}=")), "{name} has its default");
    }
}

const FIELDS: &str = "strict_types halt_offset hoisted level line message display mask classes name flags class params \
    return_type locals num_iters max_stack statics captures doc_comment attributes line_start line_end ty by_ref variadic \
    promoted default default_text args value text kind attrs parent interfaces traits trait_rules enum_type constants \
    properties methods get_hook set_hook";

fn unit() -> Unit {
    let strings: [&[u8]; 9] = [b"", b"name", b"twice", b"twice", b"\x00\xff\"\\\n'", b"o r", b"local", b"l3", b"last"];
    Unit {
        filename: b"a \"b\"\xfe.php".to_vec(),
        strict_types: true,
        strings: strings.into_iter().collect(),
        arrays: vec![ScalarArray { entries: literals().into_iter().enumerate().map(entry).collect() }],
        types: vec![TypeConstraint {
            mask: TypeMask::INT | TypeMask::NULL | 1 << 30,
            classes: vec![vec![StrId(1)], vec![StrId(2), StrId(3)]],
            display: StrId(5),
        }],
        funcs: vec![func(plain_body()), func(odd_body())],
        classes: vec![class()],
        halt_offset: Some(77),
        hoisted: vec![Hoisted::Func(FuncId(1)), Hoisted::Class(ClassId(0))],
        notices: vec![
            Notice { level: 2, line: 3, message: StrId(8) },
            Notice { level: 8192, line: 4, message: StrId(4) },
        ],
    }
}

fn literals() -> Vec<Literal> {
    let doubles = [0.5, -0.0, 1e300, f64::INFINITY, f64::NEG_INFINITY, f64::from_bits(0x7ff8_0000_0000_0123)];
    let mut literals = vec![
        Literal::Null,
        Literal::Bool(true),
        Literal::Bool(false),
        Literal::Int(i64::MIN),
        Literal::Str(StrId(4)),
        Literal::Array(ArrayId(0)),
    ];
    literals.extend(doubles.map(|double| Literal::Double(F64::new(double))));
    literals
}

fn entry((index, value): (usize, Literal)) -> (Key, Literal) {
    let key = if index == 1 { Key::Str(StrId(3)) } else { Key::Int(index as i64 - 2) };
    (key, value)
}

fn attributes() -> Vec<Attribute> {
    let args = vec![
        AttributeArg { name: Some(StrId(1)), value: Init::Literal(Literal::Bool(false)), text: Some(StrId(2)) },
        AttributeArg { name: None, value: Init::Thunk(FuncId(1)), text: None },
    ];
    vec![Attribute { name: StrId(5), line: 6, args, strict_types: true }]
}

fn func(body: Body) -> Func {
    let param = Param {
        name: StrId(6),
        ty: Some(TypeId(0)),
        by_ref: true,
        variadic: true,
        promoted: true,
        default: Some(Init::Literal(Literal::Int(-1))),
        default_text: Some(StrId(4)),
        attributes: attributes(),
    };
    Func {
        name: StrId(1),
        flags: FuncFlags(u32::MAX),
        class: Some(ClassId(0)),
        params: vec![param],
        return_type: Some(TypeId(0)),
        locals: vec![Some(StrId(6)), None, Some(StrId(7)), Some(StrId(5)), Some(StrId(2)), Some(StrId(2))],
        num_iters: 2,
        max_stack: 9,
        statics: vec![(StrId(2), None), (StrId(3), Some(Init::Thunk(FuncId(0))))],
        captures: vec![(LocalId(1), true), (LocalId(2), false)],
        doc_comment: Some(StrId(4)),
        attributes: attributes(),
        line_start: 10,
        line_end: 20,
        body: body.into(),
    }
}

/// A body whose tables stand inside its code as far as they can.
fn plain_body() -> Body {
    let mut tables = Tables::default();
    let code: Vec<Instr> = Opcode::ALL.iter().map(|&opcode| tables.instr(opcode)).collect();
    let end = code.len() as u32;
    Body {
        vectors: tables.vectors,
        switches: tables.switches,
        main_entry: Target(2),
        dv_entries: vec![Target(3), Target(4)],
        eh: vec![
            EhEntry { start: Target(0), end: Target(5), kind: EhKind::Catch(vec![(StrId(0), Target(6))]) },
            EhEntry { start: Target(5), end: Target(end), kind: EhKind::Fault(Target(7)) },
        ],
        fpi: vec![FpiRegion { push: Target(8), call: Target(9) }],
        funclets: vec![Target(7), Target(8)],
        lines: vec![(Target(0), 11), (Target(9), 12)],
        code,
    }
}

/// A body with the same code, whose tables the code does not use in order.
fn odd_body() -> Body {
    let body = plain_body();
    let vectors = body.vectors.iter().rev().cloned().collect();
    let switches = vec![
        SwitchTable::Int { cases: Vec::new(), default: Target(1) },
        SwitchTable::Str { cases: Vec::new(), default: Target(2) },
        body.switches[1].clone(),
    ];
    Body { vectors, switches, lines: vec![(Target(9), 12), (Target(0), 11)], fpi: Vec::new(), ..body }
}

/// Makes instructions, and the tables beside them.
#[derive(Default)]
struct Tables {
    vectors: Vec<MemberVector>,
    switches: Vec<SwitchTable>,
}

impl Tables {
    fn instr(&mut self, opcode: Opcode) -> Instr {
        let imms: Vec<Imm> = opcode.info().immediates.iter().map(|(_, kind)| self.imm(*kind)).collect();
        Instr::from_imms(opcode, &imms).unwrap()
    }

    fn imm(&mut self, kind: ImmKind) -> Imm {
        match kind {
            ImmKind::Count => Imm::Count(300),
            ImmKind::Int => Imm::Int(-5),
            ImmKind::Double => Imm::Double(F64::new(-1.5)),
            ImmKind::Str => Imm::Str(StrId(2)),
            ImmKind::Array => Imm::Array(ArrayId(0)),
            ImmKind::Type => Imm::Type(TypeId(0)),
            ImmKind::Local => Imm::Local(LocalId(3)),
            ImmKind::Iter => Imm::Iter(IterId(1)),
            ImmKind::Func => Imm::Func(FuncId(1)),
            ImmKind::Class => Imm::Class(ClassId(0)),
            ImmKind::Target => Imm::Target(Target(4)),
            ImmKind::SubOp { values, .. } => Imm::SubOp(values.len() as u8 - 1),
            ImmKind::Vector => Imm::Vector(self.vector()),
            ImmKind::Switch => Imm::Switch(self.switch()),
        }
    }

    /// The next base, with all members.
    fn vector(&mut self) -> VectorId {
        let bases = [Base::L(LocalId(0)), Base::N, Base::G, Base::S, Base::C, Base::R, Base::H];
        let members = vec![
            Member::EC,
            Member::EL(LocalId(1)),
            Member::ET(StrId(3)),
            Member::EI(-8),
            Member::PC,
            Member::PL(LocalId(2)),
            Member::PT(StrId(1)),
            Member::W,
        ];
        let id = self.vectors.len();
        self.vectors.push(MemberVector { base: bases[id % bases.len()], members });
        VectorId(id as u32)
    }

    fn switch(&mut self) -> SwitchId {
        let default = Target(6);
        let table = match self.switches.is_empty() {
            true => SwitchTable::Int { cases: vec![(-3, Target(4)), (9, Target(5))], default },
            false => SwitchTable::Str { cases: vec![(StrId(0), Target(4)), (StrId(3), Target(5))], default },
        };
        self.switches.push(table);
        SwitchId(self.switches.len() as u32 - 1)
    }
}

fn class() -> ClassDef {
    let constant = ConstDef {
        name: StrId(1),
        attrs: Attrs(Attrs::FINAL),
        ty: Some(TypeId(0)),
        value: Init::Thunk(FuncId(1)),
        doc_comment: Some(StrId(2)),
        attributes: attributes(),
        line: 30,
    };
    let property = PropDef {
        name: StrId(1),
        attrs: Attrs(u32::MAX),
        ty: Some(TypeId(0)),
        default: Some(Init::Literal(Literal::Null)),
        get_hook: Some(FuncId(0)),
        set_hook: Some(FuncId(1)),
        doc_comment: Some(StrId(2)),
        attributes: attributes(),
        line: 31,
    };
    let rules = vec![
        TraitRule::InsteadOf { trait_name: StrId(1), method: StrId(2), excluded: vec![StrId(3), StrId(4)] },
        TraitRule::Alias { trait_name: Some(StrId(1)), method: StrId(2), attrs: Attrs(1), alias: Some(StrId(3)) },
        TraitRule::Alias { trait_name: None, method: StrId(2), attrs: Attrs(0), alias: None },
    ];
    ClassDef {
        name: StrId(5),
        kind: ClassKind::Enum,
        attrs: Attrs(Attrs::ABSTRACT | 1 << 31),
        parent: Some(StrId(1)),
        interfaces: vec![StrId(2)],
        traits: vec![StrId(3)],
        trait_rules: rules,
        enum_type: Some(TypeId(0)),
        constants: vec![constant],
        properties: vec![property],
        methods: vec![FuncId(0), FuncId(1)],
        attributes: attributes(),
        doc_comment: Some(StrId(4)),
        line_start: 32,
        line_end: 33,
    }
}

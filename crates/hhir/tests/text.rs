//! The text form loses nothing, and the verifier says what is wrong.

use phlox_hhir::{parse, verify};

const LOOP: &str = r#"unit #7 @3
lit0 = "ab\n\"c"
lit1 = array 3
F1 = #9 in F0 t4 args 0
S0 = F0 @12 $0=v2 t2=lit0*
S1 = F1 @4 caller S0
B0:
  v0 = DefFP
  v1 = LdLoc<Int[0,9],$0> v0
  CheckLoc<Int|Dbl,$1> v0 -> S2
  Jmp v1 -> B1
B1(v2:Int) likely 100:
  v3 = AddIntO v2, 1 -> S0 @5
  v4 = CheckType<Int> v5 -> S1 @F1:7
  v5 = ConvIntToDbl v3
  v6 = LtInt v3, 100
  JmpNZero v6 -> B2
  next B3
B2:
  Jmp v3 -> B1
B3:
  v7 = AddDbl v5, -0.5
  ReqBindJmp -> S0
S2 = F0 @3
"#;

#[test]
fn units_round_trip() {
    let text = LOOP.replace(
        "v4 = CheckType<Int> v5 -> S1 @F1:7\n  v5 = ConvIntToDbl v3",
        "v5 = ConvIntToDbl v3\n  v4 = CheckType<Dbl> v5 -> S1 @F1:7",
    );
    let unit = parse(&text).unwrap();
    verify(&unit).unwrap();
    let printed = unit.to_string();
    let again = parse(&printed).unwrap();
    verify(&again).unwrap();
    assert_eq!(again.to_string(), printed);
    assert!(printed.contains(" = AddIntO v2, 1 -> S0 @5"), "{printed}");
}

#[test]
fn the_verifier_finds_a_use_before_its_definition() {
    let unit = parse(LOOP).unwrap();
    let error = verify(&unit).unwrap_err();
    assert!(error.contains("v5") || error.contains("is defined later"), "{error}");
}

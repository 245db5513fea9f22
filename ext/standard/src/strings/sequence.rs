//! Strings as sequences: `str_increment`, `str_decrement`.

use phlox_runtime::{Call, FnDef, PhpResult, Val, arith};

pub const FUNCTIONS: &[FnDef] = &[
    FnDef::new("str_increment(string $string): string", str_increment),
    FnDef::new("str_decrement(string $string): string", str_decrement),
];

fn check_alphanumeric(call: &Call<'_>, text: &[u8]) -> PhpResult<()> {
    if text.is_empty() {
        return Err(call.value_error(0, "must not be empty"));
    }
    if !text.iter().all(u8::is_ascii_alphanumeric) {
        return Err(call.value_error(0, "must be composed only of alphanumeric ASCII characters"));
    }
    Ok(())
}

fn str_increment(call: &mut Call<'_>) -> PhpResult<Val> {
    let text = call.str(0);
    check_alphanumeric(call, &text)?;
    Ok(arith::increment_string(&text).into())
}

fn str_decrement(call: &mut Call<'_>) -> PhpResult<Val> {
    let text = call.str(0);
    check_alphanumeric(call, &text)?;
    let out_of_range = || {
        let text = format!("\"{text}\" is out of decrement range");
        call.value_error(0, &text)
    };
    if text.starts_with(b"0") {
        return Err(out_of_range());
    }
    let mut bytes = text.to_vec();
    let mut borrowed = true;
    for byte in bytes.iter_mut().rev() {
        let (previous, borrow) = match *byte {
            b'a' => (b'z', true),
            b'A' => (b'Z', true),
            b'0' => (b'9', true),
            other => (other - 1, false),
        };
        *byte = previous;
        borrowed = borrow;
        if !borrow {
            break;
        }
    }
    if borrowed || bytes[0] == b'0' && bytes.len() > 1 {
        if bytes.len() == 1 {
            return Err(out_of_range());
        }
        bytes.remove(0);
    }
    Ok(bytes.into())
}

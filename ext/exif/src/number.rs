//! Numbers of the formats that directories have.

/// Formats of values, by their numbers.
pub mod format {
    pub const BYTE: u16 = 1;
    pub const STRING: u16 = 2;
    pub const USHORT: u16 = 3;
    pub const ULONG: u16 = 4;
    pub const URATIONAL: u16 = 5;
    pub const SBYTE: u16 = 6;
    pub const UNDEFINED: u16 = 7;
    pub const SSHORT: u16 = 8;
    pub const SLONG: u16 = 9;
    pub const SRATIONAL: u16 = 10;
    pub const SINGLE: u16 = 11;
    pub const DOUBLE: u16 = 12;
    pub const IFD: u16 = 13;
}

/// Bytes of a component, by format.
const SIZES: [usize; 14] = [0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 1];

/// Bytes of a component; 0 for a format that is not known.
pub fn component_size(format: u16) -> usize {
    SIZES.get(usize::from(format)).copied().unwrap_or(0)
}

/// The order of bytes in numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// The first byte is the highest.
    Motorola,
    Intel,
}

impl Order {
    /// The other order.
    pub fn inverted(self) -> Order {
        match self {
            Order::Motorola => Order::Intel,
            Order::Intel => Order::Motorola,
        }
    }

    /// The first bytes; those that are missing are 0.
    fn bytes<const N: usize>(self, data: &[u8]) -> [u8; N] {
        let mut bytes = [0; N];
        bytes.iter_mut().zip(data).for_each(|(to, from)| *to = *from);
        if self == Order::Motorola {
            bytes.reverse();
        }
        bytes
    }

    /// A number of 16 bits; bytes that are not there count as zero.
    pub fn short(self, data: &[u8]) -> u16 {
        u16::from_le_bytes(self.bytes(data))
    }

    /// A number of 32 bits; bytes that are not there count as zero.
    pub fn long(self, data: &[u8]) -> u32 {
        u32::from_le_bytes(self.bytes(data))
    }

    /// Appends a number of 16 bits.
    pub fn put_short(self, number: u16, out: &mut Vec<u8>) {
        out.extend_from_slice(&if self == Order::Motorola { number.to_be_bytes() } else { number.to_le_bytes() });
    }

    /// Appends a number of 32 bits.
    pub fn put_long(self, number: u32, out: &mut Vec<u8>) {
        out.extend_from_slice(&if self == Order::Motorola { number.to_be_bytes() } else { number.to_le_bytes() });
    }
}

/// A float of 32 bits. PHP reads floats in Intel's order whatever the image's is.
pub fn single(data: &[u8]) -> f32 {
    f32::from_bits(Order::Intel.long(data))
}

/// A float of 64 bits.
pub fn double(data: &[u8]) -> f64 {
    f64::from_bits(u64::from_le_bytes(Order::Intel.bytes(data)))
}

fn divided(numerator: f64, denominator: f64) -> f64 {
    if denominator == 0.0 { 0.0 } else { numerator / denominator }
}

/// The first number of a value.
pub fn as_float(data: &[u8], format: u16, order: Order) -> f64 {
    let (first, second) = (order.long(data), order.long(data.get(4..).unwrap_or_default()));
    match format {
        format::SBYTE => f64::from(data.first().copied().unwrap_or(0) as i8),
        format::BYTE => f64::from(data.first().copied().unwrap_or(0)),
        format::USHORT => f64::from(order.short(data)),
        format::ULONG => f64::from(first),
        format::URATIONAL => divided(f64::from(first), f64::from(second)),
        // PHP takes the numerator as a number without sign.
        format::SRATIONAL => divided(f64::from(first), f64::from(second as i32)),
        format::SSHORT => f64::from(order.short(data) as i16),
        format::SLONG => f64::from(first),
        format::SINGLE => f64::from(single(data)),
        format::DOUBLE => double(data),
        _ => 0.0,
    }
}

/// The first number of a value as an integer. Negative ones wrap.
pub fn as_integer(data: &[u8], format: u16, order: Order) -> u64 {
    let (first, second) = (order.long(data), order.long(data.get(4..).unwrap_or_default()));
    match format {
        format::SBYTE => data.first().copied().unwrap_or(0) as i8 as u64,
        format::BYTE => u64::from(data.first().copied().unwrap_or(0)),
        format::USHORT | format::SSHORT => u64::from(order.short(data)),
        format::ULONG | format::SLONG => u64::from(first),
        format::URATIONAL => first.checked_div(second).unwrap_or(0).into(),
        format::SRATIONAL => match (first as i32, second as i32) {
            (_, 0) => 0,
            (numerator, denominator) => numerator.checked_div(denominator).unwrap_or(i32::MAX) as u64,
        },
        // Conversions of floats saturate.
        format::SINGLE => single(data) as u64,
        format::DOUBLE => double(data) as u64,
        _ => 0,
    }
}

/// The format for numbers that have no sign, whatever the directory says.
pub fn without_sign(format: u16) -> u16 {
    match format {
        format::SBYTE => format::BYTE,
        format::SRATIONAL => format::URATIONAL,
        format::SSHORT => format::USHORT,
        format::SLONG => format::ULONG,
        format => format,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_orders() {
        assert_eq!(Order::Motorola.short(&[1, 2]), 0x102);
        assert_eq!(Order::Intel.short(&[1, 2]), 0x201);
        assert_eq!(Order::Motorola.long(&[1, 2, 3, 4]), 0x0102_0304);
        assert_eq!(Order::Intel.long(&[1]), 1);
    }

    #[test]
    fn divisions_have_results() {
        assert_eq!(
            as_integer(&[0, 0, 0, 0x80, 0xff, 0xff, 0xff, 0xff], format::SRATIONAL, Order::Intel),
            i32::MAX as u64
        );
        assert_eq!(as_float(&[1, 0, 0, 0, 0, 0, 0, 0], format::URATIONAL, Order::Intel), 0.0);
        assert_eq!(as_integer(&f64::NAN.to_le_bytes(), format::DOUBLE, Order::Intel), 0);
    }
}

//! The checksum of saved games.

/// The sum that protects a saved game: the usual CRC without the complements before and after.
pub fn checksum(bytes: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new_with_initial(u32::MAX);
    hasher.update(bytes);
    !hasher.finalize()
}

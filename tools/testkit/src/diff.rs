//! A line diff for failure messages.

/// Longest table of the diff in cells; larger outputs are compared line by line.
const TABLE_CELLS_MAX: usize = 4_000_000;

/// Lines of `expected` (`-`) and `actual` (`+`) with the common ones around changes.
pub fn lines(expected: &[u8], actual: &[u8]) -> String {
    let expected: Vec<&[u8]> = expected.split(|b| *b == b'\n').collect();
    let actual: Vec<&[u8]> = actual.split(|b| *b == b'\n').collect();
    let head = expected.iter().zip(&actual).take_while(|(a, b)| a == b).count();
    let (old, new) = (&expected[head..], &actual[head..]);
    let tail = old.iter().rev().zip(new.iter().rev()).take_while(|(a, b)| a == b).count();
    let (old, new) = (&old[..old.len() - tail], &new[..new.len() - tail]);
    let mut text = String::new();
    for (number, line) in expected.iter().enumerate().take(head).skip(head.saturating_sub(3)) {
        push(&mut text, ' ', number + 1, line);
    }
    if old.len().saturating_mul(new.len()) > TABLE_CELLS_MAX {
        replace_all(&mut text, head, old, new);
    } else {
        common(&mut text, head, old, new);
    }
    text
}

fn replace_all(text: &mut String, head: usize, old: &[&[u8]], new: &[&[u8]]) {
    for (i, line) in old.iter().enumerate() {
        push(text, '-', head + i + 1, line);
    }
    for (i, line) in new.iter().enumerate() {
        push(text, '+', head + i + 1, line);
    }
}

/// Longest common subsequence by the usual table.
fn common(text: &mut String, head: usize, old: &[&[u8]], new: &[&[u8]]) {
    let width = new.len() + 1;
    let mut length = vec![0u32; (old.len() + 1) * width];
    for i in (0..old.len()).rev() {
        for j in (0..new.len()).rev() {
            length[i * width + j] = if old[i] == new[j] {
                length[(i + 1) * width + j + 1] + 1
            } else {
                length[(i + 1) * width + j].max(length[i * width + j + 1])
            };
        }
    }
    let (mut i, mut j) = (0, 0);
    while i < old.len() || j < new.len() {
        if i < old.len() && j < new.len() && old[i] == new[j] {
            push(text, ' ', head + i + 1, old[i]);
            (i, j) = (i + 1, j + 1);
        } else if j == new.len() || i < old.len() && length[(i + 1) * width + j] >= length[i * width + j + 1] {
            push(text, '-', head + i + 1, old[i]);
            i += 1;
        } else {
            push(text, '+', head + j + 1, new[j]);
            j += 1;
        }
    }
}

fn push(text: &mut String, sign: char, number: usize, line: &[u8]) {
    text.push_str(&format!("{number:03}{sign} {}\n", String::from_utf8_lossy(line)));
}

#[cfg(test)]
mod tests {
    #[test]
    fn shows_what_changed() {
        assert_eq!(super::lines(b"a\nb\nc", b"a\nx\nc"), "001  a\n002- b\n002+ x\n");
    }
}

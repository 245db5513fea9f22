//! Zend's sort: insertion sort for short runs, quicksort with a median pivot above.
//!
//! The order of comparisons is observable through callbacks and through comparisons that are no total order
//! (mixed types), so the steps follow Zend's. `greater(a, b)` says whether `a` belongs after `b`.

/// Runs up to this length are insertion sorted.
const INSERTION_MAX: usize = 16;
/// From this length on the pivot is the median of five.
const MEDIAN_OF_FIVE_MIN: usize = 1024;

type Sorted<E> = Result<(), E>;

/// Sorts in place. An error of `greater` ends the sort; the items are a permutation of the original then.
pub fn sort<T, E>(items: &mut [T], greater: &mut impl FnMut(&T, &T) -> Result<bool, E>) -> Sorted<E> {
    let mut items = items;
    while items.len() > INSERTION_MAX {
        let split = partition(items, greater)?;
        let (left, rest) = items.split_at_mut(split);
        let right = &mut rest[1..];
        // Recursing into the shorter side bounds the depth.
        if left.len() + 1 < right.len() + 1 {
            sort(left, greater)?;
            items = right;
        } else {
            sort(right, greater)?;
            items = left;
        }
    }
    insertion_sort(items, greater)
}

/// Moves the pivot to its final place and returns that place.
fn partition<T, E>(items: &mut [T], greater: &mut impl FnMut(&T, &T) -> Result<bool, E>) -> Result<usize, E> {
    let len = items.len();
    let middle = len / 2;
    if len >= MEDIAN_OF_FIVE_MIN {
        let delta = middle / 2;
        sort_few(items, &[0, delta, middle, middle + delta, len - 1], greater)?;
    } else {
        sort_few(items, &[0, middle, len - 1], greater)?;
    }
    const PIVOT: usize = 1;
    items.swap(PIVOT, middle);
    let (mut low, mut high) = (PIVOT + 1, len - 1);
    'scan: loop {
        while greater(&items[PIVOT], &items[low])? {
            low += 1;
            if low == high {
                break 'scan;
            }
        }
        high -= 1;
        if high == low {
            break;
        }
        while greater(&items[high], &items[PIVOT])? {
            high -= 1;
            if high == low {
                break 'scan;
            }
        }
        items.swap(low, high);
        low += 1;
        if low == high {
            break;
        }
    }
    items.swap(PIVOT, low - 1);
    Ok(low - 1)
}

/// Sorts the items at two to five positions by a fixed network.
fn sort_few<T, E>(items: &mut [T], at: &[usize], greater: &mut impl FnMut(&T, &T) -> Result<bool, E>) -> Sorted<E> {
    if let [a, b] = *at {
        if greater(&items[a], &items[b])? {
            items.swap(a, b);
        }
        return Ok(());
    }
    sort_three(items, [at[0], at[1], at[2]], greater)?;
    for last in 3..at.len() {
        for position in (0..last).rev() {
            if !greater(&items[at[position]], &items[at[position + 1]])? {
                break;
            }
            items.swap(at[position], at[position + 1]);
        }
    }
    Ok(())
}

fn sort_three<T, E>(
    items: &mut [T],
    [a, b, c]: [usize; 3],
    greater: &mut impl FnMut(&T, &T) -> Result<bool, E>,
) -> Sorted<E> {
    if !greater(&items[a], &items[b])? {
        if !greater(&items[b], &items[c])? {
            return Ok(());
        }
        items.swap(b, c);
        if greater(&items[a], &items[b])? {
            items.swap(a, b);
        }
        return Ok(());
    }
    if !greater(&items[c], &items[b])? {
        items.swap(a, c);
        return Ok(());
    }
    items.swap(a, b);
    if greater(&items[b], &items[c])? {
        items.swap(b, c);
    }
    Ok(())
}

fn insertion_sort<T, E>(items: &mut [T], greater: &mut impl FnMut(&T, &T) -> Result<bool, E>) -> Sorted<E> {
    const NETWORK_MAX: usize = 5;
    match items.len() {
        0 | 1 => return Ok(()),
        len @ 2..=NETWORK_MAX => return sort_few(items, &[0, 1, 2, 3, 4][..len], greater),
        _ => {}
    }
    for at in 1..items.len() {
        if !greater(&items[at - 1], &items[at])? {
            continue;
        }
        let place =
            if at <= NETWORK_MAX { place_by_steps(items, at, greater)? } else { place_by_pairs(items, at, greater)? };
        items[place..=at].rotate_right(1);
    }
    Ok(())
}

/// Where item `at` belongs among the sorted ones before it; the one just before it is known to be greater.
fn place_by_steps<T, E>(
    items: &[T],
    at: usize,
    greater: &mut impl FnMut(&T, &T) -> Result<bool, E>,
) -> Result<usize, E> {
    let mut place = at - 1;
    while place > 0 {
        if !greater(&items[place - 1], &items[at])? {
            break;
        }
        place -= 1;
    }
    Ok(place)
}

/// Where item `at` belongs among the sorted ones before it, found in steps of two positions; the one just before it is
/// known to be greater.
fn place_by_pairs<T, E>(
    items: &[T],
    at: usize,
    greater: &mut impl FnMut(&T, &T) -> Result<bool, E>,
) -> Result<usize, E> {
    let mut place = at - 1;
    loop {
        place -= 2;
        if !greater(&items[place], &items[at])? {
            let next = place + 1;
            return Ok(if greater(&items[next], &items[at])? { next } else { next + 1 });
        }
        if place == 0 {
            return Ok(0);
        }
        if place == 1 {
            return Ok(if greater(&items[at], &items[0])? { 1 } else { 0 });
        }
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn sorts_every_length() {
        let mut state = 1u32;
        for len in 0..3000usize {
            if len > 64 && len % 97 != 0 {
                continue;
            }
            let mut items: Vec<u32> = (0..len)
                .map(|_| {
                    state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                    state >> 20
                })
                .collect();
            let mut expected = items.clone();
            expected.sort_unstable();
            let result: Result<(), ()> = super::sort(&mut items, &mut |a, b| Ok(a > b));
            assert!(result.is_ok());
            assert_eq!(items, expected);
        }
    }
}

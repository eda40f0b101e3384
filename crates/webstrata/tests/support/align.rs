//! Longest common subsequence of two word sequences (Myers: An O(ND) Difference Algorithm and Its Variations, 1986).

/// The search gives up after this many edits; everything between the common ends then counts as different.
const MAX_EDITS: usize = 6000;

/// Runs `(start in old, start in new, length)` that the two sequences have in common, in order.
pub fn common<T: PartialEq>(old: &[T], new: &[T]) -> Vec<(usize, usize, usize)> {
    let head = old.iter().zip(new).take_while(|(a, b)| a == b).count();
    let max = old.len().min(new.len()) - head;
    let tail = old.iter().rev().zip(new.iter().rev()).take(max).take_while(|(a, b)| a == b).count();
    let mut pieces = vec![(0, 0, head)];
    let (inner_old, inner_new) = (&old[head..old.len() - tail], &new[head..new.len() - tail]);
    pieces.extend(middle(inner_old, inner_new).into_iter().map(|(a, b, n)| (a + head, b + head, n)));
    pieces.push((old.len() - tail, new.len() - tail, tail));
    pieces.retain(|piece| piece.2 > 0);
    pieces
}

fn middle<T: PartialEq>(old: &[T], new: &[T]) -> Vec<(usize, usize, usize)> {
    if old.is_empty() || new.is_empty() {
        return Vec::new();
    }
    // rounds[d][k] is the farthest position in `old` on diagonal 2 * k - d after d edits.
    let mut rounds: Vec<Vec<u32>> = Vec::new();
    let max = (old.len() + new.len()).min(MAX_EDITS);
    for d in 0..=max {
        let mut round = Vec::with_capacity(d + 1);
        for k in 0..=d {
            let mut x = match rounds.last() {
                None => 0,
                // Diagonal k of this round lies between k - 1 (delete) and k (insert) of the last one.
                Some(last) => {
                    let deleted = if k > 0 { last[k - 1] as usize + 1 } else { 0 };
                    let inserted = if k < d { last[k] as usize } else { 0 };
                    if k == d || (k > 0 && deleted > inserted) { deleted } else { inserted }
                }
            };
            let diagonal = 2 * k as isize - d as isize; // x - y
            let mut y = (x as isize - diagonal) as usize; // never negative: edits start at the origin
            while x < old.len() && y < new.len() && old[x] == new[y] {
                x += 1;
                y += 1;
            }
            round.push(x as u32);
            if x >= old.len() && y >= new.len() {
                rounds.push(round);
                return backtrack(&rounds, k);
            }
        }
        rounds.push(round);
    }
    Vec::new()
}

fn backtrack(rounds: &[Vec<u32>], mut k: usize) -> Vec<(usize, usize, usize)> {
    let mut pieces = Vec::new();
    for d in (0..rounds.len()).rev() {
        let diagonal = 2 * k as isize - d as isize;
        let x = rounds[d][k] as usize;
        let mut start = 0;
        if d > 0 {
            let last = &rounds[d - 1];
            let deleted = if k > 0 { last[k - 1] as usize + 1 } else { 0 };
            let inserted = if k < d { last[k] as usize } else { 0 };
            let by_deletion = k == d || (k > 0 && deleted > inserted);
            start = if by_deletion { deleted } else { inserted };
            if by_deletion {
                k -= 1;
            }
        }
        if x > start {
            pieces.push((start, (start as isize - diagonal) as usize, x - start));
        }
    }
    pieces.reverse();
    pieces
}

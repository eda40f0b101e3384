//! L2-regularised logistic regression by Newton's method.

/// A row with its class and weight.
#[derive(Clone, Debug)]
pub struct Example<'r> {
    /// The features; the last one should be 1 for a constant term.
    pub row: &'r [f32],
    /// Whether it belongs to the class.
    pub positive: bool,
    /// Its weight.
    pub weight: f64,
}

/// Newton steps; ten suffice for six digits.
const STEPS: usize = 15;

/// Maximises the likelihood, less `penalty / 2` times the sum of the squared weights (the last one is not penalised).
///
/// ```
/// use webstrata_lab::graphcut::logistic::{Example, fit};
/// let rows: Vec<[f32; 2]> = (0..100).map(|at| [at as f32 / 100.0, 1.0]).collect();
/// let examples: Vec<Example> = rows.iter().map(|row| Example { row, positive: row[0] > 0.3, weight: 1.0 }).collect();
/// let weights = fit(&examples, 0.1);
/// assert!((-weights[1] / weights[0] - 0.3).abs() < 0.05);
/// ```
#[must_use]
pub fn fit(examples: &[Example<'_>], penalty: f64) -> Vec<f64> {
    let columns = examples.first().map_or(0, |example| example.row.len());
    let mut weights = vec![0.0; columns];
    for _ in 0..STEPS {
        let mut gradient = vec![0.0; columns];
        let mut curvature = vec![0.0; columns * columns];
        for Example { row, positive, weight } in examples {
            let score: f64 = row.iter().zip(&weights).map(|(value, weight)| f64::from(*value) * weight).sum();
            let probability = 1.0 / (1.0 + (-score).exp());
            let error = weight * (f64::from(u8::from(*positive)) - probability);
            let curve = weight * (probability * (1.0 - probability)).max(1e-9);
            for (a, &x) in row.iter().enumerate().filter(|(_, x)| **x != 0.0) {
                gradient[a] += error * f64::from(x);
                for (place, &y) in curvature[a * columns..=a * columns + a].iter_mut().zip(*row) {
                    *place += curve * f64::from(x) * f64::from(y);
                }
            }
        }
        for at in 0..columns {
            // The constant is not penalised, except for a trace that keeps the system solvable.
            let penalty = if at + 1 == columns { 1e-6 } else { penalty };
            gradient[at] -= penalty * weights[at];
            curvature[at * columns + at] += penalty;
        }
        let step = solve(&mut curvature, gradient, columns);
        let moved = step.iter().fold(0.0f64, |most, step| most.max(step.abs()));
        // A step this large means that the classes are separable; shorter steps converge as well.
        let scale = if moved > 10.0 { 10.0 / moved } else { 1.0 };
        weights.iter_mut().zip(&step).for_each(|(weight, step)| *weight += scale * step);
        if moved < 1e-7 {
            break;
        }
    }
    weights
}

/// Solves a symmetric positive definite system, given by its lower half, by Cholesky decomposition.
fn solve(matrix: &mut [f64], mut right: Vec<f64>, size: usize) -> Vec<f64> {
    for row in 0..size {
        for column in 0..=row {
            let sum: f64 = (0..column).map(|at| matrix[row * size + at] * matrix[column * size + at]).sum();
            let value = matrix[row * size + column] - sum;
            matrix[row * size + column] =
                if row == column { value.max(1e-12).sqrt() } else { value / matrix[column * size + column] };
        }
    }
    for row in 0..size {
        let sum: f64 = (0..row).map(|at| matrix[row * size + at] * right[at]).sum();
        right[row] = (right[row] - sum) / matrix[row * size + row];
    }
    for row in (0..size).rev() {
        let sum: f64 = (row + 1..size).map(|at| matrix[at * size + row] * right[at]).sum();
        right[row] = (right[row] - sum) / matrix[row * size + row];
    }
    right
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn systems_are_solved() {
        // [4 2; 2 3] x = [8, 7]
        let found = solve(&mut [4.0, 0.0, 2.0, 3.0], vec![8.0, 7.0], 2);
        assert!((found[0] - 1.25).abs() < 1e-12 && (found[1] - 1.5).abs() < 1e-12);
    }

    #[test]
    fn the_gradient_vanishes_at_the_optimum() {
        let rows: Vec<[f32; 3]> = (0..60).map(|at| [(at % 7) as f32, (at % 5) as f32 / 5.0, 1.0]).collect();
        let examples: Vec<Example<'_>> = rows
            .iter()
            .enumerate()
            .map(|(at, row)| Example { row, positive: at % 3 == 0, weight: 1.0 + (at % 2) as f64 })
            .collect();
        let weights = fit(&examples, 0.5);
        for column in 0..3 {
            let slope: f64 = examples
                .iter()
                .map(|example| {
                    let score: f64 = example.row.iter().zip(&weights).map(|(x, w)| f64::from(*x) * w).sum();
                    let error = f64::from(u8::from(example.positive)) - 1.0 / (1.0 + (-score).exp());
                    example.weight * error * f64::from(example.row[column])
                })
                .sum();
            let penalty = if column == 2 { 0.0 } else { 0.5 * weights[column] };
            assert!((slope - penalty).abs() < 1e-4, "{column}: {slope} {penalty}");
        }
        assert!(fit(&[], 1.0).is_empty());
    }

    #[test]
    fn separable_classes_do_not_diverge() {
        let rows = [[0.0f32, 1.0], [1.0, 1.0]];
        let examples: Vec<Example<'_>> = rows.iter().map(|row| Example { row, positive: row[0] > 0.5, weight: 1.0 }).collect();
        assert!(fit(&examples, 0.01).iter().all(|weight| weight.is_finite()));
    }
}

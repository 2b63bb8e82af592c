//! Integer powers, equal to the last digit on every system, which the standard library does not guarantee.

/// `base` to the power of `exponent`, by squaring.
pub(crate) fn power(mut base: f64, mut exponent: u32) -> f64 {
    let mut product = 1.0;
    loop {
        if exponent % 2 == 1 {
            product *= base;
        }
        exponent /= 2;
        if exponent == 0 {
            return product;
        }
        base *= base;
    }
}

#[cfg(test)]
mod tests {
    use super::power;

    #[test]
    fn a_power_is_that_many_factors() {
        for (base, exponent) in [(0.9375, 0), (0.9375, 1), (1.05, 255), (0.5, 60), (0.0, 3)] {
            let factors: f64 = (0..exponent).map(|_| base).product();
            assert!((power(base, exponent) - factors).abs() <= 1e-13 * factors, "{base} to the power of {exponent}");
        }
        assert_eq!(power(0.5, 1 << 30), 0.0);
    }
}

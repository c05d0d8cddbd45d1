//! What a program may take.

use std::time::Duration;

/// What a program may take for one board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Time on the clock, from its start to its end.
    pub timeout: Duration,
    /// Bytes of memory in use by it and by all processes that it started, together.
    pub memory: u64,
    /// Bytes that it may print.
    pub output: usize,
    /// Processes at a time, the program's own included.
    pub processes: usize,
}

impl Default for Limits {
    /// 10 s, 1 GiB, 16 MiB and 256 processes.
    fn default() -> Limits {
        Limits {
            timeout: Duration::from_secs(10),
            memory: 1 << 30,
            output: 16 << 20,
            processes: 256,
        }
    }
}

/// A time for people: three digits and a unit.
pub(crate) fn time_text(time: Duration) -> String {
    let seconds = time.as_secs_f64();
    match seconds {
        0.0..0.01 => format!("{:.2} ms", seconds * 1e3),
        0.01..0.1 => format!("{:.1} ms", seconds * 1e3),
        0.1..1.0 => format!("{:.0} ms", seconds * 1e3),
        1.0..10.0 => format!("{seconds:.2} s"),
        _ => format!("{seconds:.1} s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_written_with_three_digits() {
        let text = |micros| time_text(Duration::from_micros(micros));
        assert_eq!(
            [2_134, 21_340, 213_400, 2_134_000, 21_340_000].map(text),
            ["2.13 ms", "21.3 ms", "213 ms", "2.13 s", "21.3 s"]
        );
    }
}

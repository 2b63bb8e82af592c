#!/bin/sh
# Fuzzes the engine's readers with libFuzzer, on the stable toolchain: `sh fuzz/run.sh SECONDS [TARGET...]`.
# The flags are those that `cargo fuzz` gives the compiler, without the sanitizers that only nightly has: numbers that
# overflow are findings, too.
set -eu
cd "$(dirname "$0")"
seconds=${1:-60}
shift || true
coverage="-Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 -Cllvm-args=-sanitizer-coverage-inline-8bit-counters \
-Cllvm-args=-sanitizer-coverage-pc-table -Cllvm-args=-sanitizer-coverage-trace-compares -Ccodegen-units=1 \
-Cdebug-assertions -Coverflow-checks"
host=$(rustc -vV | sed -n 's/^host: //p')
RUSTFLAGS="$coverage" cargo build --release --target "$host"
for target in ${*:-scenario goal chakra}; do
    mkdir -p "../runs/fuzz/engine-$target" findings
    "target/$host/release/$target" "../runs/fuzz/engine-$target" "corpus/$target" -max_total_time="$seconds" -timeout=10 \
        -rss_limit_mb=1024 -max_len=8192 -print_final_stats=1 -artifact_prefix="findings/engine-$target-"
done

#!/bin/sh
# Random networks in random parts on two threads, under the thread sanitizer, for so many minutes: `sh tools/races.sh [MINUTES]`.
# A race, or a run in parts that is not the run in one, ends it with what was found. Only nightly Rust has the sanitizer:
# rustup toolchain install nightly --component rust-src
set -eu
cd "$(dirname "$0")/.."
minutes=${1:-10}
host=$(rustc -vV | sed -n 's/^host: //p')
end=$(($(date +%s) + minutes * 60))
seed=0
# The standard library is built with it, too: otherwise the locks in it would look like races.
export RUSTFLAGS=-Zsanitizer=thread CARGO_TARGET_DIR=target/races CONGESTREE_CASES=40 TSAN_OPTIONS=halt_on_error=1
cargo +nightly test --quiet -Zbuild-std --target "$host" -p congestree-scenario --features congestree-fabric/lean --test laws --no-run
while [ "$(date +%s)" -lt "$end" ]; do
    seed=$((seed + 1))
    CONGESTREE_SEED=$seed cargo +nightly test --quiet -Zbuild-std --target "$host" -p congestree-scenario --features congestree-fabric/lean \
        --test laws parts > target/races/last.log 2>&1 || { cat target/races/last.log; exit 1; }
    printf '\r%s seeds of %s networks, no race, no difference' "$seed" "$((2 * CONGESTREE_CASES))"
done
echo

#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs the benchmarks on one core with one BLAS thread, draws what they wrote to bench/results/, makes the README's table
# from it and repeats their last lines, the results.
# usage: run_benches.sh [NAME]...
set -euo pipefail
cd "$(dirname "$0")/.."
export OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1
names=("$@")
if [ $# -eq 0 ]; then
    for source in bench/*_bench.c; do
        names+=("$(basename "$source" _bench.c)")
    done
fi
pin=()
if command -v taskset >/dev/null; then
    core=$(taskset -cp $$ | sed 's/.*[ ,-]//') # the last one we may use; interrupts often go to the first
    pin=(taskset -c "$core")
fi

out=build/bench/output
mkdir -p bench/results "$out"
for name in "${names[@]}"; do
    program=build/bench/bench/bench_$name
    [ -x "$program" ] || { echo "there is no benchmark $name" >&2; exit 1; }
    printf '\n== %s\n' "$name"
    "${pin[@]}" "$program" | tee "$out/$name.txt"
done
! command -v gnuplot >/dev/null || bench/plot_results.sh
bench/readme_table.py
printf '\n'
for name in "${names[@]}"; do
    tail -n 1 "$out/$name.txt"
done

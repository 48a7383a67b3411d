#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs the fuzz targets of the fuzz build, each for some seconds, from the seeds in tests/fuzz/corpus. What is found grows in
# build/fuzz/corpus; an input that fails is left in build/fuzz and belongs into tests/fuzz/corpus once the fault is put right.
# usage: run_fuzz.sh SECONDS [TARGET]
set -euo pipefail
cd "$(dirname "$0")/.."
seconds=${1:-600}
only=${2:-}
if [ -n "$only" ] && [ ! -f "tests/fuzz/$only.c" ]; then
    echo "there is no fuzz target $only; there are $(cd tests/fuzz && ls ./*_fuzz.c | sed 's|./||; s|\.c||' | tr '\n' ' ')" >&2
    exit 2
fi

# $1 target, $2 folder of seeds and name of the dictionary
fuzz() {
    if [ -n "$only" ] && [ "$only" != "$1" ]; then return; fi
    [ -x "build/fuzz/tests/fuzz/$1" ] || return 0
    mkdir -p "build/fuzz/corpus/$2"
    echo "$1: $seconds seconds"
    nice -n 10 "build/fuzz/tests/fuzz/$1" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -max_len=4096 \
        -dict="tests/fuzz/$2.dict" -artifact_prefix="build/fuzz/$1-" -print_final_stats=1 -verbosity=0 \
        "build/fuzz/corpus/$2" "tests/fuzz/corpus/$2"
}

fuzz model_parser_fuzz model
fuzz model_fuzz model
fuzz options_fuzz options
fuzz command_line_fuzz command_line
echo "fuzz: nothing found"

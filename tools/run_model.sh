#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The main job on a shipped example: solves a model with its sensitivities, shows a table and which parameters matter,
# and writes the results, the picture and the report to build/run/.
# usage: run_model.sh [BUILD_DIR]
set -euo pipefail
cd "$(dirname "$0")/.."
tansy=${1:-build/release}/tansy
model=examples/models/gas_oil.tansy
out=build/run
mkdir -p "$out"

printf '\n== the model, %s\n\n' "$model"
cat "$model"
printf '\n== tansy solve: y and dy/dp at nine times (all digits and columns: %s/gas_oil.csv)\n\n' "$out"
"$tansy" solve "$model" --quiet --points 9 | awk -F, '
    /^#/ { next }
    { for (i = 1; i <= NF && i <= 7; i++) printf (NR > 4 ? "%12.6f" : "%12s"), $i; print "" }'
printf '\n== tansy rank: which parameters matter\n\n'
"$tansy" rank "$model"
printf '\n== tansy solve --verify: how good every state and column is\n\n'
"$tansy" solve "$model" --verify --out "$out/gas_oil.csv" --stats "$out/gas_oil.json" \
    --plot "$out/gas_oil.svg" --plot "$out/gas_oil.png" --report "$out/gas_oil.html"
printf '\nthe report is %s/gas_oil.html, the picture %s/gas_oil.svg (and .png), the numbers %s/gas_oil.csv\n' "$out" "$out" "$out"
printf 'next: %s help, or your own model: docs/language.md\n' "$tansy"

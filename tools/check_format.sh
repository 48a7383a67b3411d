#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Names the C files whose layout is not that of .clang-format; with --fix it lays them out.
set -euo pipefail
cd "$(dirname "$0")/.."
folders=()
for folder in include src cli tests examples bench; do
    [ ! -d "$folder" ] || folders+=("$folder")
done
mapfile -t files < <(find "${folders[@]}" -name '*.[ch]' | sort)
if [ "${1:-}" = --fix ]; then
    clang-format -i "${files[@]}"
    exit
fi
bad=0
for file in "${files[@]}"; do
    clang-format "$file" | cmp -s - "$file" || { echo "$file: not laid out, see \`make format\`"; bad=1; }
done
[ $bad = 0 ] && echo "format: ${#files[@]} files good"

#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs the examples of a build, shows what they print, and draws the curves of 06_curves (Robertson's kinetics: t, three
# concentrations, three scaled sensitivities) with gnuplot where there is one. Tables and pictures are kept in build/run/.
# usage: run_examples.sh [BUILD_DIR]
set -euo pipefail
cd "$(dirname "$0")/.."
build=${1:-build/release}
out=build/run
mkdir -p "$out"

for source in examples/[0-9]*.c; do
    name=$(basename "$source" .c)
    printf '\n== %s\n' "$source"
    sed -n '2,7{s,^/\* ,,;s,^   ,,;s, \*/$,,;/^#/q;/^$/q;p}' "$source"
    echo
    "$build/examples/$name" >"$out/$name.txt"
    lines=$(wc -l <"$out/$name.txt")
    head -n 16 "$out/$name.txt"
    [ "$lines" -le 16 ] || echo "... $lines lines in $out/$name.txt"
done

table=$out/06_curves.txt
[ -s "$table" ] || exit 0
if ! command -v gnuplot >/dev/null; then
    printf '\nno gnuplot here, so no picture; the tables are in %s/\n' "$out"
    exit 0
fi
for kind in svg png; do
    terminal='svg size 900,600 background "white"'
    [ $kind = svg ] || terminal='png size 900,600'
    gnuplot <<GNUPLOT
set terminal $terminal
set output "$out/robertson.$kind"
set multiplot layout 2,1 title "Robertson's kinetics and its sensitivities"
set logscale x
set format x "10^{%T}"
set xrange [1e-4:1e7]
set grid
set key outside
set lmargin 12
set rmargin 18
set ylabel "concentration"
plot "$table" using 1:2 with lines lw 2 title "y1", \
     "" using 1:(1e4*\$3) with lines lw 2 title "10^4 y2", \
     "" using 1:4 with lines lw 2 title "y3"
set xlabel "t"
set ylabel "p dy1/dp"
plot "$table" using 1:5 with lines lw 2 title "p1 dy1/dp1", \
     "" using 1:6 with lines lw 2 title "p2 dy1/dp2", \
     "" using 1:7 with lines lw 2 title "p3 dy1/dp3"
unset multiplot
GNUPLOT
done
printf '\nthe tables are in %s/, the picture is %s/robertson.svg (and .png)\n' "$out" "$out"

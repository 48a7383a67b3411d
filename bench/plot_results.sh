#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Draws the results: for every bench/results/NAME.csv with runs the time over the error of S, each run of each variant a
# point, the lower envelope of a code a line; for the figure of ODESSA's paper the cost over the number of parameters.
# Writes bench/results/NAME.svg; needs gnuplot.
set -euo pipefail
cd "$(dirname "$0")/results"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

settings="set terminal svg size 640,440 font 'sans,12' background 'white'
set grid lc rgb '#d0d0d0' lt 1
set border 3
set tics nomirror"

# The error and time of all runs of a code, by error, and of those that none beats in both.
collect() {
    awk -F, -v code="$2" '$1 == code && $5 != "inf" { print $5, $7 }' "$1" | sort -g >"$work/$2"
    awk 'NR == 1 || $2 < least { print; least = $2 }' "$work/$2" >"$work/$2.envelope"
}

plot_work_precision() {
    local name=$1 lines=() code title colour
    while read -r code colour title; do
        collect "$name.csv" "$code"
        [ -s "$work/$code" ] || continue
        lines+=("'$work/$code.envelope' with lines lw 2 lc rgb '$colour' title '$title'")
        lines+=("'$work/$code' with points pt 7 ps 0.3 lc rgb '$colour' notitle")
    done <<END
tansy #1f5fbf Tansy
tansy-default #0b2c5e Tansy, default options
cvodes #c03030 CVODES
idas #c03030 IDAS
END
    local IFS=,
    gnuplot <<END
$settings
set output '$name.svg'
set title '${name//_/ }'
set logscale xy
set format '10^{%L}'
set xlabel 'error of S'
set ylabel 'seconds'
plot ${lines[*]}
END
}

plot_figure3() {
    gnuplot <<END
$settings
set output '$1.svg'
set datafile separator ','
set title 'cost of S, oxidation of CO'
set xlabel 'parameters'
set ylabel 'simulation time equivalents'
set key left top
plot '$1.csv' every ::1 using 1:2 with linespoints lc rgb '#1f5fbf' title 'df/dp given', \
     '' every ::1 using 1:3 with linespoints lc rgb '#c03030' title 'df/dp by differences', \
     '' every ::1 using 1:4 with linespoints lc rgb '#808080' title 'S not tested'
END
}

for file in *.csv; do
    name=${file%.csv}
    if grep -q '^code,variant,' "$file"; then
        plot_work_precision "$name"
    elif [ "$name" = odessa_figure3 ]; then
        plot_figure3 "$name"
    fi
done

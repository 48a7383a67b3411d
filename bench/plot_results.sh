#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Draws the results: for every bench/results/NAME.csv with runs the time over the error of S, each run of each variant a
# point, the lower envelope of a code a line; for one_step_NAME.csv the same with a line a method; for the figure of ODESSA's
# paper the cost over the number of parameters; for the crane the time over the number of intervals; for the experiments of Franz and Kiehl errors and ratios of times over the tolerance.
# Writes bench/results/NAME.svg; needs gnuplot.
set -euo pipefail
cd "$(dirname "$0")/results"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

settings="set terminal svg size 640,440 font 'sans,12' background 'white'
set grid lc rgb '#d0d0d0' lt 1
set border 3
set tics nomirror"

# The error and time of all runs of a code whose variants begin with a word, by error, and of those that none beats in both.
collect() {
    awk -F, -v code="$2" -v word="$3" '$1 == code && index($2, word) == 1 && $5 != "inf" { print $5, $7 }' "$1" |
        sort -g >"$work/$2$3"
    awk 'NR == 1 || $2 < least { print; least = $2 }' "$work/$2$3" >"$work/$2$3.envelope"
}

# Reads lines "CODE WORD COLOUR TITLE"; the word - stands for all variants.
plot_work_precision() {
    local name=$1 lines=() code word title colour
    while read -r code word colour title; do
        word=${word#-}
        collect "$name.csv" "$code" "$word"
        [ -s "$work/$code$word" ] || continue
        lines+=("'$work/$code$word.envelope' with lines lw 2 lc rgb '$colour' title '$title'")
        lines+=("'$work/$code$word' with points pt 7 ps 0.3 lc rgb '$colour' notitle")
    done
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

codes='tansy - #1f5fbf Tansy
tansy-default - #0b2c5e Tansy, default options
cvodes - #c03030 CVODES
idas - #c03030 IDAS'

methods='tansy-default adams #1f5fbf adams
tansy-default bdf #0b2c5e bdf
tansy-default rk8 #208040 rk8
tansy-default rosenbrock #8040a0 rosenbrock
cvodes adams #e08020 CVODES Adams
cvodes bdf #c03030 CVODES BDF'

# A panel a problem with errors over the tolerance; then the ratios of times of all.
plot_franz_kiehl() {
    local problems='C1 C5 E3'
    gnuplot <<END
set terminal svg size 960,340 font 'sans,12' background 'white'
set output '$1_errors.svg'
set datafile separator ','
set grid lc rgb '#d0d0d0' lt 1
set logscale xy
set format '10^{%L}'
set xlabel 'tolerance of S'
set key below
set multiplot layout 1,3
do for [p in '$problems'] {
    set title p
    set ylabel p eq 'C1' ? 'error of S' : ''
    plot '$1.csv' every ::1 using (strcol(1) eq p ? \$2 : NaN):3 with linespoints pt 2 lc rgb '#1f5fbf' title 'internal', \
         '' every ::1 using (strcol(1) eq p ? \$2 : NaN):4 with linespoints pt 6 lc rgb '#c03030' title 'external', \
         '' every ::1 using (strcol(1) eq p.' unlike steps' ? \$2 : NaN):4 with linespoints pt 8 lc rgb '#e08020' title p eq 'C1' ? 'unlike steps' : '', \
         x lc rgb '#808080' title 'tolerance'
}
END
    gnuplot <<END
$settings
set output '$1_times.svg'
set datafile separator ','
set title 'time of external over internal differences'
set logscale x
set format x '10^{%L}'
set xlabel 'tolerance of S'
set key outside right
plot for [p in '"C1" "C5" "E3" "E3 ten times" "E3 ten times full"'] '$1.csv' every ::1 \
     using (strcol(1) eq p ? \$2 : NaN):7 with linespoints title p
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

# Figures 1 to 3 of Schlegel et al.: evaluations of f, by their number, over the time they are made at.
plot_calls() {
    gnuplot <<END
set terminal svg size 960,340 font 'sans,12' background 'white'
set output '$1.svg'
set datafile separator ','
set grid lc rgb '#d0d0d0' lt 1
set xlabel 't'
set key left top
set multiplot layout 1,3
do for [tol in '1e-05 1e-06 1e-07'] {
    set title 'gas oil, tolerance '.tol
    set ylabel tol eq '1e-05' ? 'evaluations of f' : ''
    plot '$1.csv' every ::1 using (strcol(1) eq 'limex' && strcol(2) eq tol ? \$4 : NaN):3 with points pt 7 ps 0.3 lc rgb '#1f5fbf' title 'limex', \
         '' every ::1 using (strcol(1) eq 'dassl' && strcol(2) eq tol ? \$4 : NaN):3 with points pt 7 ps 0.3 lc rgb '#c03030' title 'dassl, simultaneous'
}
END
}

# Figure 4 of Schlegel et al.: time over the number of intervals, a panel a tolerance.
plot_crane() {
    gnuplot <<END
set terminal svg size 960,340 font 'sans,12' background 'white'
set output '$1.svg'
set datafile separator ','
set grid lc rgb '#d0d0d0' lt 1
set xlabel 'intervals'
set key below
set xtics (8, 16, 32)
set yrange [0:*]
set multiplot layout 1,3
do for [tol in '1e-05 1e-06 1e-07'] {
    set title 'crane, tolerance '.tol
    set ylabel tol eq '1e-05' ? 'milliseconds' : ''
    plot for [m in '"limex" "dassl simultaneous" "bdf direct" "rk8"'] '$1.csv' every ::1 \
         using (strcol(2) eq tol && strcol(3) eq m ? \$1 : NaN):(1e3*\$10) with linespoints title m
}
END
}

for file in *.csv; do
    name=${file%.csv}
    if [[ $name = one_step_* ]]; then
        plot_work_precision "$name" <<<"$methods"
    elif grep -q '^code,variant,' "$file"; then
        plot_work_precision "$name" <<<"$codes"
    elif [ "$name" = franz_kiehl ]; then
        plot_franz_kiehl "$name"
    elif [ "$name" = odessa_figure3 ]; then
        plot_figure3 "$name"
    elif [ "$name" = limex_calls ]; then
        plot_calls "$name"
    elif [ "$name" = crane_tables ]; then
        plot_crane "$name"
    fi
done

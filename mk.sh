#!/bin/sh
gcc -O1 -g -I/work/wt/index2/include "$1" -o "$2" /work/wt/index2/build/release/libtansy.a -lopenblas -llapacke -lklu -lbtf -lamd -lcolamd -lsuitesparseconfig -lm -lpthread

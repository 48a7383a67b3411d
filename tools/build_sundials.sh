#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds the peer of the benchmarks, CVODES and IDAS with KLU and LAPACK, optimised for this machine, from the source package
# of Debian: its binary package is compiled without optimisation and would be too easy to beat.
# usage: build_sundials.sh [PREFIX]      does nothing when PREFIX holds the libraries already
set -euo pipefail
top=$(cd "$(dirname "$0")/.." && pwd)
prefix=${1:-$top/build/sundials}
work=$top/build/sundials-source
[ ! -f "$prefix/lib/libsundials_idas.a" ] || exit 0

# The machine's own Debian archives, as sources of source packages, in lists apart from the system's.
download() {
    mkdir -p "$work"/{parts,lists/partial,cache/archives/partial}
    local file
    for file in /etc/apt/sources.list.d/*.sources; do
        ! grep -qs '^URIs:.*debian' "$file" || sed 's/^Types:.*/Types: deb-src/' "$file" >"$work/parts/${file##*/}"
    done
    for file in /etc/apt/sources.list /etc/apt/sources.list.d/*.list; do
        ! grep -qsE '^deb .*debian' "$file" ||
            grep -E '^deb .*debian' "$file" | sed 's/^deb /deb-src /' >"$work/parts/$(basename "$file" .list).list"
    done
    local apt=(apt-get -qq -o Dir::Etc::sourcelist=/dev/null -o "Dir::Etc::sourceparts=$work/parts"
        -o "Dir::State::lists=$work/lists" -o "Dir::Cache=$work/cache" -o APT::Sandbox::User=root)
    (cd "$work" && "${apt[@]}" update && "${apt[@]}" source --download-only sundials)
}

if ! download; then
    echo "SUNDIALS cannot be fetched by apt here; build CVODES and IDAS (static, -O3, with KLU) yourself" >&2
    echo "and say \`make bench SUNDIALS_PREFIX=WHERE\`" >&2
    exit 1
fi
mkdir -p "$work/tree"
tar -xf "$work"/sundials_*.orig.tar.* --strip-components=1 -C "$work/tree"

klu=$(dirname "$(echo '#include <suitesparse/klu.h>' | cc -M -xc - | tr ' ' '\n' | grep '/klu\.h$')")
options=(
    -DCMAKE_BUILD_TYPE=Release -DCMAKE_C_FLAGS_RELEASE="-O3 -march=native -DNDEBUG"
    -DCMAKE_INSTALL_PREFIX="$prefix" -DCMAKE_INSTALL_LIBDIR=lib
    -DBUILD_SHARED_LIBS=OFF -DBUILD_STATIC_LIBS=ON -DBUILD_TESTING=OFF
    -DBUILD_CVODES=ON -DBUILD_IDAS=ON -DBUILD_CVODE=OFF -DBUILD_IDA=OFF -DBUILD_ARKODE=OFF -DBUILD_KINSOL=OFF
    -DEXAMPLES_ENABLE_C=OFF -DEXAMPLES_INSTALL=OFF
    -DENABLE_KLU=ON -DKLU_INCLUDE_DIR="$klu" -DKLU_LIBRARY_DIR="$(dirname "$(cc -print-file-name=libklu.so)")"
    -DENABLE_LAPACK=ON -DBLAS_LIBRARIES=-lopenblas -DLAPACK_LIBRARIES=-lopenblas
    # how Fortran names look, said here because it would take a Fortran compiler to find out
    -DSUNDIALS_F77_FUNC_CASE=LOWER -DSUNDIALS_F77_FUNC_UNDERSCORES=ONE
)
log=$work/build.log
echo "building SUNDIALS, once"
{
    cmake -S "$work/tree" -B "$work/build" "${options[@]}" &&
        cmake --build "$work/build" --parallel "$(nproc)" --target install
} >"$log" 2>&1 || { tail -n 20 "$log" >&2; exit 1; }
echo "SUNDIALS is in $prefix"

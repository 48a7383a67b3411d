#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs what the build needs and the machine lacks, by apt on Debian and its kin; elsewhere it says what is missing and
# carries on as long as there are a compiler and cmake. With nothing missing it does nothing and needs no network.
# usage: install_packages.sh [build|run|check|fuzz|valgrind|bench]...
set -euo pipefail
# OpenBLAS without threads: Tansy has threads of its own, and OpenBLAS' wait for work by turning on a core from the start of a program
declare -A groups=(
    [build]="gcc libc6-dev make cmake pkg-config python3 libopenblas-serial-dev libsuitesparse-dev libcmocka-dev"
    [run]="gnuplot-nox"
    [check]="clang clang-format clang-tidy binutils"
    [fuzz]="clang libclang-rt-dev"
    [valgrind]="valgrind libc6-dbg"
    [bench]="xz-utils"
)
# A command or a header that shows that a package is there, whoever installed it.
declare -A command_of=([gcc]=cc [make]=make [cmake]=cmake [pkg-config]=pkg-config [python3]=python3 [gnuplot-nox]=gnuplot
    [clang]=clang [clang-format]=clang-format [clang-tidy]=clang-tidy [binutils]=objdump [valgrind]=valgrind
    [xz-utils]=xz)
declare -A header_of=([libc6-dev]=stdio.h [libopenblas-serial-dev]=cblas.h [libcmocka-dev]=cmocka.h
    [libclang-rt-dev]=fuzzer/FuzzedDataProvider.h [libsuitesparse-dev]=suitesparse/klu.h)

present() {
    if [ -n "${command_of[$1]:-}" ]; then
        command -v "${command_of[$1]}" >/dev/null
    else
        { [ -n "${header_of[$1]:-}" ] && echo "#include <${header_of[$1]}>" | cc -E - >/dev/null 2>&1; } ||
            dpkg-query -W -f '${Status}' "$1" 2>/dev/null | grep -q '^install ok installed'
    fi
}

missing=()
for group in "${@:-build}"; do
    for package in ${groups[$group]}; do
        present "$package" || missing+=("$package")
    done
done
[ ${#missing[@]} -gt 0 ] || exit 0

sudo=
[ "$(id -u)" = 0 ] || sudo=sudo
if command -v apt-get >/dev/null && { [ -z "$sudo" ] || command -v sudo >/dev/null; }; then
    echo "installing ${missing[*]}"
    export DEBIAN_FRONTEND=noninteractive
    if $sudo apt-get update -qq &&
        $sudo apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null; then
        exit 0
    fi
fi
echo "please install what these Debian packages hold: ${missing[*]}" >&2
command -v cc >/dev/null && command -v cmake >/dev/null

#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs a build into an empty prefix and uses it from outside: the README's program by pkg-config, with the shared and
# the static library, and the same program from examples/ by find_package. Each must print the expected numbers.
# usage: install_test.sh BUILD_DIR
set -euo pipefail
build=${1:?usage: install_test.sh BUILD_DIR}
top=$(cd "$(dirname "$0")/../.." && pwd)
cc=${CC:-cc}
cmake=${CMAKE:-cmake}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

compare() { # NAME PROGRAM
    echo "$1"
    python3 "$top/tests/golden/compare_output.py" "$top/examples/expected/01_robertson.txt" "$2"
}

"$cmake" --install "$build" --prefix "$work/prefix" >/dev/null
mv "$work/prefix" "$work/moved" # nothing installed may know where it was put first
pc=$(find "$work/moved" -name tansy.pc)
export PKG_CONFIG_PATH=${pc%/*}
lib=${PKG_CONFIG_PATH%/pkgconfig}

cd "$work"
awk '/^```c$/ {inside = 1; next} /^```$/ {exit} inside' "$top/README.md" >readme.c
read -ra shared <<<"$(pkg-config --cflags --libs tansy)"
"$cc" -o readme readme.c "${shared[@]}"
LD_LIBRARY_PATH=$lib compare "the README's program, shared, by pkg-config" ./readme
read -ra static <<<"$(pkg-config --static --cflags --libs tansy)"
"$cc" -o readme_static readme.c "${static[@]/-ltansy/$lib/libtansy.a}"
compare "the README's program, static, by pkg-config" ./readme_static

cat >CMakeLists.txt <<TEXT
cmake_minimum_required(VERSION 3.21)
project(user LANGUAGES C)
find_package(tansy 0.1 REQUIRED)
add_executable(shared $top/examples/01_robertson.c)
target_link_libraries(shared tansy::tansy)
add_executable(static $top/examples/01_robertson.c)
target_link_libraries(static tansy::tansy_static)
TEXT
"$cmake" -S . -B user -DCMAKE_PREFIX_PATH="$work/moved" -DCMAKE_C_COMPILER="$cc" >user.log || { cat user.log; exit 1; }
"$cmake" --build user >user.log || { cat user.log; exit 1; }
compare "the example, shared, by find_package" user/shared
compare "the example, static, by find_package" user/static

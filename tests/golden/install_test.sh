#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs a build into an empty prefix and uses it from outside: a first program and the README's by pkg-config, with the
# shared and the static library, the first one by find_package too, and the README's model by the installed `tansy`. Each
# must print the expected numbers.
# usage: install_test.sh BUILD_DIR
set -euo pipefail
build=${1:?usage: install_test.sh BUILD_DIR}
top=$(cd "$(dirname "$0")/../.." && pwd)
cc=${CC:-cc}
cmake=${CMAKE:-cmake}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

compare() { # NAME PROGRAM [EXPECTED]
    echo "$1"
    python3 "$top/tests/golden/compare_output.py" "$top/examples/expected/${3:-01_robertson}.txt" "$2"
}

"$cmake" --install "$build" --prefix "$work/prefix" >/dev/null
mv "$work/prefix" "$work/moved" # nothing installed may know where it was put first
pc=$(find "$work/moved" -name tansy.pc)
export PKG_CONFIG_PATH=${pc%/*}
lib=${PKG_CONFIG_PATH%/pkgconfig}

cd "$work"
awk '/^```c$/ {inside = 1; next} inside && /^```$/ {exit} inside' "$top/README.md" >readme.c
awk '/^```$/ {if (inside) exit; inside = 1; next} inside' "$top/README.md" >gas_oil.tansy
read -ra shared <<<"$(pkg-config --cflags --libs tansy)"
read -ra static <<<"$(pkg-config --static --cflags --libs tansy)"
for program in readme:readme first:01_robertson; do
    name=${program%:*} expected=${program#*:}
    [ $name = readme ] || cp "$top/examples/$expected.c" $name.c
    "$cc" -o $name $name.c "${shared[@]}"
    LD_LIBRARY_PATH=$lib compare "$name program, shared, by pkg-config" ./$name $expected
    "$cc" -o ${name}_static $name.c "${static[@]/-ltansy/$lib/libtansy.a}"
    compare "$name program, static, by pkg-config" ./${name}_static $expected
done

echo "the README's model by the installed program"
"$work/moved/bin/tansy" solve gas_oil.tansy --points 5 --quiet --out gas_oil.csv
[ "$(grep -vc '^#' gas_oil.csv)" = 6 ]
[ -f "$work/moved/share/man/man1/tansy.1" ]

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

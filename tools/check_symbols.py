#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks the symbols of a release build: no writable statics, nothing exported but tansy_*, no call that prints, ends the
process, reads the environment or sets a signal handler, and memory taken from the system by src/base/ alone.

usage: check_symbols.py BUILD_DIR"""
import pathlib
import re
import subprocess
import sys

TOP = pathlib.Path(__file__).resolve().parent.parent
WRITABLE = re.compile(r"^(\*COM\*|\.t?(data|bss)(?!\.rel\.ro)(\..*)?)$")
FORBIDDEN = set("""
    exit _exit _Exit quick_exit abort __assert_fail atexit getenv secure_getenv setenv putenv environ
    printf __printf_chk vprintf __vprintf_chk fprintf __fprintf_chk vfprintf __vfprintf_chk dprintf
    puts fputs putchar putc fputc perror stdout stderr stdin signal sigaction raise kill system
""".split())
MEMORY = set("malloc calloc realloc free aligned_alloc posix_memalign strdup".split())


def lines(*command):
    return subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout.splitlines()


def check_statics(archive):
    member = "?"
    for line in lines("objdump", "-t", archive):
        if match := re.match(r"^(\S+):\s+file format", line):
            member = match[1]
        # VALUE, seven columns of flags, SECTION, SIZE, NAME; the flag d marks the symbol of the section itself
        elif match := re.match(r"^[0-9a-f]+ (.{7}) (\S+)\s+[0-9a-f]+\s+(.*)$", line):
            flags, section, name = match.groups()
            if WRITABLE.match(section) and "d" not in flags:
                yield f"{member}: {name} is a writable static, in {section}"


def check_exports(shared):
    for line in lines("nm", "-D", "--defined-only", shared):
        name = line.split()[-1].split("@")[0]
        if not name.startswith("tansy_"):
            yield f"{shared.name}: exports {name}"


def check_calls(archive):
    base = {f"{path.name}.o" for path in (TOP / "src" / "base").glob("*.c")}
    for line in lines("nm", "-A", "-u", archive):
        member, name = line.split(":")[-2], line.split()[-1]
        if name in FORBIDDEN:
            yield f"{member}: refers to {name}"
        if name in MEMORY and member not in base:
            yield f"{member}: refers to {name}; the heap is the business of src/base/"


def main():
    build = pathlib.Path(sys.argv[1])
    archive, shared = build / "libtansy.a", build / "libtansy.so"
    problems = [*check_statics(archive), *check_exports(shared), *check_calls(archive)]
    print("\n".join(problems) or "symbols: good")
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()

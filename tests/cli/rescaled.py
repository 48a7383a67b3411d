# SPDX-License-Identifier: Apache-2.0
"""Rewrites a model in text with a state, a parameter or time in another unit: x = c X, c a power of two."""
import re

NAME = r"[A-Za-z_]\w*"


def statements(text):
    """Logical lines: without comments, continued where a comma or a bracket is open at the end."""
    done, open_line = [], ""
    for line in text.splitlines():
        line = re.sub(r'#[^"]*$', "", line).rstrip()
        open_line += (" " if open_line else "") + line.strip()
        depth = sum(open_line.count(c) for c in "([{") - sum(open_line.count(c) for c in ")]}")
        if depth > 0 or open_line.endswith((",", "+", "-", "*", "/")):
            continue
        if open_line:
            done.append(open_line)
        open_line = ""
    return done


def split(text, separator=","):
    """At the separators outside of brackets."""
    parts, depth, last = [], 0, 0
    for i, c in enumerate(text):
        depth += (c in "([{") - (c in ")]}")
        if c == separator and depth == 0:
            parts.append(text[last:i])
            last = i + 1
    return [*parts, text[last:]]


def balance(text, at):
    """Behind the bracket that is opened at this place."""
    depth = 0
    for i in range(at, len(text)):
        depth += (text[i] in "([{") - (text[i] in ")]}")
        if depth == 0:
            return i + 1
    raise ValueError(text)


def odes(text):
    """Reactions as equations of their species."""
    rates, kept = {}, []
    for line in statements(text):
        match = re.fullmatch(r"(\w+): (.*?) -> (.*?), (.*)", line)
        if not match:
            kept.append(line)
            continue
        for side, sign in ((match[2], "-"), (match[3], "+")):
            for term in side.split("+"):
                count, name = re.fullmatch(r"\s*(?:(\d+)\s+)?(\w+)\s*", term).groups()
                rates.setdefault(name, []).append(f"{sign} {count or 1}*({match[4]})")
    at = next(i for i, line in enumerate(kept) if line.startswith("time"))
    return "\n".join(kept[:at] + [f"{name}' = {' '.join(terms)}" for name, terms in rates.items()] + kept[at:]) + "\n"


def replaced(text, names, value, rate):
    """Every name in an expression times `value`, its derivatives times `rate`."""
    out, i = "", 0
    while i < len(text):
        match = re.match(NAME, text[i:])
        if not match:
            out += text[i]
            i += 1
            continue
        name, end = match[0], i + len(match[0])
        if name in names:
            while end < len(text) and text[end] in "[(":
                end = balance(text, end)
            primes = end < len(text) and text[end] == "'"
            out += f"({text[i:end]}'*{rate})" if primes else f"({text[i:end]}*{value})"
            i = end + primes
        else:
            out += name
            i = end
    return out


def declared(item, names, c):
    """`name[..] [unit] = value ..` of a declaration."""
    match = re.match(rf"\s*({NAME})", item)
    head, equals, value = item.partition("=")
    if not equals:
        return item
    value = re.sub(r" atol \S+| in \S+ \.\. \S+", "", value)
    value, scale, rest = value.partition(" scale ")
    if match and match[1] in names:
        value = f" ({value.strip()})/{c!r}"
        rest = f"{float(rest) / c!r}" if scale else ""
    return f"{head}={value}{scale}{rest}"


def rewrite(text, names=(), c=1.0, time=1.0):
    """The model with X = x/c in place of each of the names, and time in units of `time`."""
    done = []
    for line in statements(odes(text)):
        word = line.split()[0]
        if word in ("output", "integral"):
            continue
        if word in ("model", "constant", "unit"):
            done.append(line)
        elif word in ("state", "parameter", "algebraic", "control"):
            items = split(line[len(word):])
            items = [declared(item, names, c) for item in items]
            heads = [item.partition("=") for item in items]
            done.append(word + ",".join(a + b + replaced(v, names, repr(c), repr(c)) for a, b, v in heads))
        elif word == "time":
            a, b = re.fullmatch(r"time (\S+) \.\. (\S+).*", line).groups()
            done.append(f"time {float(a) / time!r} .. {float(b) / time!r}")
        else:
            done.append(equation(line, names, c, time))
    return re.sub(r"\[[A-Za-z][\w/*^ ]*\]|\[1/[\w/*^ ]*\]", "", "\n".join(done)) + "\n"


def equation(line, names, c, time):
    """An equation, a let or an output."""
    left, _, right = line.partition("=") if not line.startswith("let ") else line.partition(" = ")
    right, loop, ranges = right.partition(" for ")
    clock = {"t", "time"} if time != 1 else set()
    explicit = re.fullmatch(rf"({NAME})(\[[^']*\])?'\s*", left)
    own = c if explicit and explicit[1] in names else 1.0
    every = re.findall(rf"({NAME})(?:\[[^\]]*\])?'", line)
    right = replaced(right, clock, repr(time), repr(time))
    right = replaced(right, names, repr(c), repr(c / time))
    right = replaced(right, [n for n in every if n not in names], "1", repr(1 / time)) if time != 1 else right
    if explicit:
        return f"{left}= ({right.strip()})*{time / own!r}{loop}{ranges}"
    if not line.startswith(("let ", "output ")):
        left = replaced(left, names, repr(c), repr(c / time))
        left = replaced(left, [n for n in every if n not in names], "1", repr(1 / time)) if time != 1 else left
    return f"{left}= {right.strip()}{loop}{ranges}"

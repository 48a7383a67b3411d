# SPDX-License-Identifier: Apache-2.0
"""Templates: models whose header says from which ranges numbers are drawn (README.md); a seed draws
an instance."""
import dataclasses
import math
import pathlib
import random
import re

FOLDER = pathlib.Path(__file__).resolve().parent / "templates"
NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"
ROWS = 20    # of output behind the first
FINER = 10   # times as many in the reference, for the largest |y_i|


@dataclasses.dataclass
class Instance:
    name: str
    seed: int
    text: str
    twin: str      # the model that references are made of: another form of it, or the text itself
    times: list    # of output, FINER times as many as are compared
    step: float    # the longest that a reference may take
    values: dict   # of all parameters

    def rows(self):
        return self.times[::FINER]


def header(text, word):
    """What stands behind `#word:`, in all lines of it, with commas between."""
    return ", ".join(line.strip() for line in re.findall(rf"^#{word}:(.*)$", text, re.M))


def draw_one(generator, kind, low, high):
    if kind == "log":
        value = math.exp(generator.uniform(math.log(low), math.log(high)))
    elif kind == "uniform":
        value = generator.uniform(low, high)
    else:
        raise ValueError(f"`{kind}`: write `log` or `uniform`")
    return float(f"{value:.4g}")


def put(text, name, value):
    """The text with another number in the declaration `name [unit] = number`."""
    unit = r"(?:\s*\[[^\]\n]*\])?"
    place = rf"(^[^#\n]*?\b{re.escape(name)}{unit}\s*=\s*){NUMBER}(?![\w.])"
    changed, count = re.subn(place, lambda match: match[1] + repr(value), text, count=1, flags=re.M)
    if count == 0:
        raise ValueError(f"no declaration `{name} = number` to draw")
    return changed


def parameters(text):
    """Name and value of every parameter, and of every level of a control."""
    values = {}
    body = re.sub(r"#.*", "", text)
    for line in re.findall(r"^parameter\b(.*)$", body, re.M):
        for name, value in re.findall(rf"(\w+)(?:\s*\[[^\]]*\])?\s*=\s*({NUMBER})", line):
            values[name] = float(value)
    for name, levels in re.findall(r"^control\s+(\w+)[^={]*=\s*\{([^}]*)\}", body, re.M):
        for k, level in enumerate(levels.split(","), 1):
            values[f"{name}[{k}]"] = float(level)
    return values


def output_times(text):
    span = re.search(rf"^time\s+({NUMBER})\s*\.\.\s*({NUMBER})", text, re.M)
    first, last = float(span[1]), float(span[2])
    count, grid = ROWS * FINER, header(text, "rows").split()
    if not grid:
        return [first + (last - first) * k / count for k in range(count)] + [last]
    begin = math.log(float(grid[1]))   # `log FIRST`: the first row behind the start
    rise = (math.log(last - first) - begin) / (count - FINER)
    behind = [first + math.exp(begin + rise * (k - FINER)) for k in range(1, count)]
    return [first, *behind, last]


def draw(path, seed):
    text, beside = path.read_text(encoding="utf-8"), path.with_suffix(".twin")
    twin = beside.read_text(encoding="utf-8") if beside.exists() else text
    generator = random.Random(f"{path.stem}:{seed}")
    for item in filter(None, (words.strip() for words in header(text, "draw").split(","))):
        name, kind, low, high = item.split()
        value = draw_one(generator, kind, float(low), float(high))
        text, twin = put(text, name, value), put(twin, name, value)
    times = output_times(text)
    step = float(header(text, "step") or 1e-3) * (times[-1] - times[0])
    return Instance(path.stem, seed, text, twin, times, step, parameters(text))


def paths(pattern="*"):
    return sorted(FOLDER.glob(pattern + ".tansy"))

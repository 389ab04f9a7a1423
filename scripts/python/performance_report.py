"""Writes Docs/Performance.md and its plots from the figures of scripts/bench files."""

import json
import os
import platform
import statistics
import subprocess

import file_peers
import programs

DOCUMENT = os.path.join(programs.CHECKOUT, "Docs", "Performance.md")
FOLDER = os.path.join(programs.CHECKOUT, "Docs", "Performance")
#: What follows this line is written by people, and stays.
BY_HAND = "## What is missed, and what would mend it\n"

TITLES = {
    "note": "A note of 1 KB, saved on A until B can read it",
    "small": "First sync of 10,000 files of 1 KB in 100 folders",
    "large": "First sync of 1 GiB in 8 files",
    "front": "One byte in front of a file of 256 MiB",
    "rename": "A folder of 10,000 files gets another name",
    "rest": "100,000 files that nobody changes",
}
#: Of a workload: a figure, what it is called, its goal.
GOALS = {
    "note": [("wall_s", "the middle note", 0.005), ("p99_s", "the slowest note", 0.040)],
    "small": [("wall_s", "wall", 2.5), ("cpu_s", "processor", 3.0)],
    "large": [("wall_s", "wall", 2.56), ("cpu_s", "processor", 3.0)],
    "front": [("wall_s", "wall", 1.0), ("wire_bytes", "bytes", 131_072)],
    "rename": [("wall_s", "wall", 0.05), ("wire_bytes", "bytes", 1024)],
    "rest": [("wall_s", "start", 2.0), ("wire_bytes", "bytes in an idle minute", 200),
             ("resident_mib", "the larger device, MiB", 60.0)],
}
COLOURS = {"Ubiquity": "#2563a8", "Syncthing": "#8a8a8a", "Unison": "#b0893b", "rsync": "#5f9160"}


def write(rows):
    """All rows at once; those of workloads that were not run this time are taken from the last."""
    os.makedirs(FOLDER, exist_ok=True)
    rows = [*rows, *left_over(rows)]
    store(rows)
    medians = {key: median(list(group)) for key, group in grouped(rows).items()}
    for figure, title, unit in PLOTS:
        with open(os.path.join(FOLDER, f"{figure}.svg"), "w", encoding="utf-8") as file:
            file.write(plot(medians, figure, title, unit))
    kept = by_hand()
    with open(DOCUMENT, "w", encoding="utf-8") as file:
        file.write(document(rows, medians) + kept)


# Figures.

def left_over(rows):
    measured = {(row["workload"], row["peer"]) for row in rows}
    path = os.path.join(FOLDER, "figures.jsonl")
    if not os.path.exists(path):
        return []
    with open(path, encoding="utf-8") as file:
        before = [json.loads(line) for line in file]
    return [row for row in before if (row["workload"], row["peer"]) not in measured]


def store(rows):
    order = list(TITLES)
    with open(os.path.join(FOLDER, "figures.jsonl"), "w", encoding="utf-8") as file:
        for row in sorted(rows, key=lambda row: (order.index(row["workload"]), row["run"])):
            file.write(json.dumps(row) + "\n")


def grouped(rows):
    groups = {}
    for row in rows:
        groups.setdefault((row["workload"], row["peer"]), []).append(row)
    return groups


def median(group):
    """The median of each figure, of the runs that came to an end; nil if none did."""
    ended = [row for row in group if "failed" not in row]
    if not ended:
        return None
    figures = {}
    for key in ended[0]:
        values = [row[key] for row in ended]
        if isinstance(values[0], list):
            values = [max(value) for value in values]
            figures["resident_mib"] = statistics.median(device_mib(row) for row in ended)
        if isinstance(values[0], (int, float)):
            figures[key] = statistics.median(values)
    return {**figures, "runs": len(ended), "loads": [row["load"] for row in group]}


def device_mib(row):
    """Of Ubiquity the server comes first, and is not a device."""
    peaks = row["peak_mib"]
    return max(peaks[1:] if row["peer"] == "Ubiquity" and len(peaks) > 2 else peaks)


# The text.

def document(rows, medians):
    lines = [
        "# How fast it is",
        "",
        "Made by `scripts/bench files`, which `scripts/install-packages --comparison` prepares:",
        "Ubiquity beside what people use instead, on one machine, over the loopback device of a",
        "network namespace of their own. Wall seconds, processor seconds of all programs of both",
        "sides (and the server), bytes on the loopback device with the heads of packets, and the",
        "most resident memory of one program. Medians; all runs are in",
        "[figures.jsonl](Performance/figures.jsonl).",
        "",
        f"{machine()} {loads(rows)}",
        "",
        "Syncthing has its shortest delay, 1 s (10 s by default); Unison and rsync are started for",
        "each change, rsync goes one way only. Ubiquity's server and devices and Syncthing make",
        "durable what they take, Unison and rsync do not. Syncthing encrypts what travels here;",
        "the others do not.",
        "",
    ]
    for figure, title, _ in PLOTS:
        lines += [f"![{title}](Performance/{figure}.svg)", ""]
    for workload in TITLES:
        lines += table(workload, medians)
    return "\n".join(lines)


def machine():
    versions = []
    for name in ("syncthing", "unison", "rsync"):
        said = subprocess.run([name, "-version" if name == "unison" else "--version"],
                              capture_output=True, check=False).stdout.decode().split("\n")[0]
        words = [word.lstrip("v") for word in said.split() if word.lstrip("v")[:1].isdigit()]
        versions.append(f"{name} {words[0] if words else '?'}")
    return (f"{os.cpu_count()} processors, Linux {platform.release().split('-')[0]}; "
            f"{', '.join(versions)}.")


def loads(rows):
    values = sorted(row["load"] for row in rows)
    middle = values[len(values) // 2]
    return (f"The machine was shared, with a load of {middle:g} in the middle, from {values[0]:g}\n"
            f"to {values[-1]:g}: processor seconds and bytes are sound, wall times compare only\n"
            "within one table.")


def table(workload, medians):
    rest = workload == "rest"
    head = ["", "start s" if rest else "wall s", "processor s",
            "bytes in an idle minute" if rest else "bytes on the wire",
            "resident MiB" if rest else "most MiB", "runs"]
    if rest:
        head[3:3] = ["idle processor s"]
    lines = [f"## {TITLES[workload]}", "", "| " + " | ".join(head) + " |",
             "| --- |" + " --- |" * (len(head) - 1)]
    for peer in file_peers.PEERS:
        row = medians.get((workload, peer))
        if row is None:
            if (workload, peer) in medians:
                lines.append(f"| {peer} | did not end |" + " |" * (len(head) - 2))
            continue
        wall = f"{row['wall_s']:.3g}"
        if "p99_s" in row:
            wall += f" (slowest {row['p99_s']:.3g})"
        cells = [peer, wall, f"{row['cpu_s']:.3g}", f"{row['wire_bytes']:,.0f}",
                 f"{row['resident_mib']:.0f}", str(row["runs"])]
        if rest:
            cells[3:3] = [f"{row['idle_cpu_s']:.2g}"]
        lines.append("| " + " | ".join(cells) + " |")
    return [*lines, "", *judged(workload, medians), ""]


def judged(workload, medians):
    ours = medians.get((workload, "Ubiquity"))
    if not ours:
        return []
    said = []
    for figure, name, goal in GOALS[workload]:
        value = ours[figure]
        verdict = "met" if value <= goal else f"missed by a factor of {value / goal:.2g}"
        said.append(f"{name} {value:,.4g}, goal {goal:,g}: {verdict}")
    return ["; ".join(said) + "."]


def by_hand():
    if os.path.exists(DOCUMENT):
        with open(DOCUMENT, encoding="utf-8") as file:
            text = file.read()
        if BY_HAND in text:
            return BY_HAND + text.split(BY_HAND, 1)[1]
    return BY_HAND


# The plots.

PLOTS = [
    ("wall_s", "Wall seconds", "s"),
    ("cpu_s", "Processor seconds of all programs", "s"),
    ("wire_bytes", "Bytes on the wire", "B"),
    ("resident_mib", "Most resident memory of a program on a device", "MiB"),
]
BAR, GAP, LEFT, WIDTH = 15, 26, 90, 760


def plot(medians, figure, title, unit):
    """Bars for each workload, each workload on a scale of its own that begins at zero."""
    parts = []
    top = 44
    for workload, name in TITLES.items():
        bars = [(peer, medians[workload, peer][figure]) for peer in file_peers.PEERS
                if medians.get((workload, peer)) and figure in medians[workload, peer]]
        if not bars:
            continue
        longest = max(value for _, value in bars) or 1
        parts.append(f'<text x="8" y="{top}" font-weight="bold">{name}</text>')
        for index, (peer, value) in enumerate(bars):
            y = top + 8 + index * (BAR + 4)
            length = max(1.5, (WIDTH - LEFT - 130) * value / longest)
            parts.append(
                f'<text x="{LEFT - 6}" y="{y + 11}" text-anchor="end">{peer}</text>'
                f'<rect x="{LEFT}" y="{y}" width="{length:.1f}" height="{BAR}"'
                f' fill="{COLOURS[peer]}"/>'
                f'<text x="{LEFT + length + 6:.1f}" y="{y + 11}">{shown(value, unit)}</text>')
        top += 8 + len(bars) * (BAR + 4) + GAP
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{top}" '
        f'viewBox="0 0 {WIDTH} {top}" font-family="sans-serif" font-size="12" fill="#222">\n'
        f'<rect width="{WIDTH}" height="{top}" fill="#fff"/>\n'
        f'<text x="8" y="20" font-size="15" font-weight="bold">{title}</text>\n'
        + "\n".join(parts) + "\n</svg>\n")


def shown(value, unit):
    if unit != "B":
        return f"{value:.3g} {unit}"
    for step, name in ((1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")):
        if value >= step:
            return f"{value / step:.3g} {name}"
    return f"{value:.0f} B"

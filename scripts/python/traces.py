"""Keystroke traces of real texts, typed again: by two people, each with a text of their own.

A trace says which characters came where, one keystroke after the other. Here each character is a
cell with a number, so that it can be typed into a text that lacks what the other has typed
meanwhile: it goes behind the cell that it stood behind.
"""

import gzip
import itertools
import json
import os

from programs import CHECKOUT

FOLDER = os.path.join(CHECKOUT, "Tests", "Cases", "traces")
TRUE, BOTH = 4, 3


def names():
    """The traces that there are."""
    return sorted(name.split(".")[0] for name in os.listdir(FOLDER) if name.endswith(".gz"))


class Trace:
    """A trace as strokes: who typed, and what went in behind which cell, and what went away."""

    def __init__(self, name):
        file = next(file for file in os.listdir(FOLDER) if file.split(".")[0] == name)
        with gzip.open(os.path.join(FOLDER, file)) as opened:
            content = json.load(opened)
        self.name = name
        self.end = content["endContent"]
        self.letters = []
        self.agents = content.get("numAgents", 1)
        typed = Branches(content["txns"]) if self.agents > 1 else Row()
        self.start = [self.cell(letter) for letter in content.get("startContent", "")]
        typed.begin(self.start)
        self.strokes = []
        for number, entry in enumerate(content["txns"]):
            view = typed.at(number, entry)
            for at, removed, inserted in entry["patches"]:
                cells = [self.cell(letter) for letter in inserted]
                behind, gone = view.replace(at, removed, cells)
                self.strokes.append((entry.get("agent", 0), behind, gone, cells))
                typed.note(number, behind, gone, cells)

    def cell(self, letter):
        self.letters.append(letter)
        return len(self.letters) - 1


class Row:
    """The cells of a text that one person types."""

    def __init__(self):
        self.cells = []

    def begin(self, cells):
        self.cells = list(cells)

    def at(self, _number, _entry):
        return self

    def note(self, *_):
        pass

    def replace(self, at, removed, cells):
        """Gives the cell before the place, and those that went."""
        gone = self.cells[at:at + removed]
        self.cells[at:at + removed] = cells
        return self.cells[at - 1] if at else None, gone


class Branches:
    """The texts of several people, each of whom had not seen all that the others typed."""

    def __init__(self, entries):
        self.entries = entries
        self.views = {entry["agent"]: View() for entry in entries}
        self.done = {}

    def begin(self, cells):
        for view in self.views.values():
            view.order = list(cells)

    def at(self, number, entry):
        """The view of who typed an entry, with all that it was typed in sight of."""
        view = self.views[entry["agent"]]
        missing, open_entries = set(), list(entry["parents"])
        while open_entries:
            parent = open_entries.pop()
            if parent not in view.known and parent not in missing:
                missing.add(parent)
                open_entries += self.entries[parent]["parents"]
        for parent in sorted(missing):
            view.take(self.done[parent])
        view.known |= missing
        view.known.add(number)
        return view

    def note(self, number, *stroke):
        self.done.setdefault(number, []).append(stroke)


class View:
    """A text with the cells that went, so that what others put behind them has its place."""

    def __init__(self):
        self.order, self.gone, self.known = [], set(), set()
        # Where the last stroke was: the index, and how many cells that are there come before it.
        self.index, self.seen = 0, 0

    def seek(self, at):
        """Moves to just behind so many cells that are there."""
        while self.seen < at:
            self.seen += self.order[self.index] not in self.gone
            self.index += 1
        while self.seen > at:
            self.index -= 1
            self.seen -= self.order[self.index] not in self.gone

    def replace(self, at, removed, cells):
        self.seek(at)
        behind = self.order[self.index - 1] if self.index else None
        there = (cell for cell in itertools.islice(self.order, self.index, None)
                 if cell not in self.gone)
        gone = list(itertools.islice(there, removed))
        self.order[self.index:self.index] = cells
        self.gone.update(gone)
        return behind, gone

    def take(self, strokes):
        for behind, gone, cells in strokes:
            index = find(self.order, behind, self.index)
            self.order[index:index] = cells
            if index <= self.index:
                self.index += len(cells)
                self.seen += len(cells)
            for cell in set(gone) - self.gone:
                self.seen -= self.order.index(cell) < self.index
            self.gone.update(gone)


def find(order, behind, hint):
    """The index just behind a cell, which is most often near where the last one was."""
    if behind is None:
        return 0
    low = max(0, hint - 200)
    try:
        return order.index(behind, low, hint + 200) + 1
    except ValueError:
        return order.index(behind) + 1


class Typing:
    """A trace that two people type, round by round.

    Most of a round is typed by one of them; its last strokes both type, each into a text of their
    own, and save in turns.
    """

    def __init__(self, trace, rounds, apart, turns):
        self.trace, self.turns = trace, turns
        self.order = list(trace.start)
        self.flags = bytearray(len(trace.letters))
        for cell in trace.start:
            self.flags[cell] = TRUE
        self.hint = 0
        size = -(-len(trace.strokes) // rounds)
        self.rounds = []
        for at in range(0, len(trace.strokes), size):
            strokes = trace.strokes[at:at + size]
            self.rounds.append((strokes[:-apart], strokes[-apart:]))

    def type_alone(self, strokes):
        """One types, and the other sees it."""
        for _, *stroke in strokes:
            self.type(BOTH, *stroke)

    def meet(self):
        """Both have the whole text before them."""
        # Where people typed apart, a later stroke may stand behind a cell that has gone.
        if self.trace.agents == 1:
            self.order = [cell for cell in self.order if self.flags[cell] & TRUE]
        for cell in self.order:
            self.flags[cell] = TRUE | BOTH if self.flags[cell] & TRUE else 0

    def saves(self, strokes):
        """Who saves what in a round, turn by turn: 0 or 1, and a text."""
        size = -(-len(strokes) // self.turns)
        typists = self.typists(strokes)
        for at in range(0, len(strokes), size):
            for typist, (_, *stroke) in zip(typists[at:at + size], strokes[at:at + size]):
                self.type(1 << typist, *stroke)
            for typist in sorted(set(typists[at:at + size])):
                yield typist, self.text(1 << typist)

    def typists(self, strokes):
        """Who typed each stroke; what one person typed is given to one above the other."""
        if self.trace.agents > 1:
            return [agent % 2 for agent, *_ in strokes]
        place = {cell: index for index, cell in enumerate(self.order)}
        places = []
        for _, behind, _, cells in strokes:
            places.append(place.get(behind, 0))
            place.update((cell, places[-1]) for cell in cells)
        ordered = sorted(set(places))
        gaps = [(after - before, after) for before, after in zip(ordered, ordered[1:])]
        _, border = max(gaps, default=(0, 0))
        return [int(at >= border) for at in places]

    def type(self, bit, behind, gone, cells):
        index = find(self.order, behind, self.hint)
        self.order[index:index] = cells
        self.hint = index + len(cells)
        for cell in cells:
            self.flags[cell] = TRUE | bit
        for cell in gone:
            # What only the other has before them stays there.
            self.flags[cell] &= ~(TRUE | bit)

    def text(self, bit=TRUE):
        flags, letters = self.flags, self.trace.letters
        return "".join([letters[cell] for cell in self.order if flags[cell] & bit]).encode()

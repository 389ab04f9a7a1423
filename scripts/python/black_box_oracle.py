"""What may be found on devices after people wrote, read, moved and removed files there.

Each save writes a text of a length of its own, its token, so that a look at the length tells what
stands at a name without reading it: to read is to know, and who overwrites what nobody there knew
must not make it vanish. After the manner of Hughes, Pierce, Arts and Norell, "Mysteries of
Dropbox" (ICST 2016), with folders, moves, deletions, conflicts and key-values.
"""

SHORTEST = 64


def text(token):
    """The content that stands for a token: one line, so that no two of them merge."""
    head = b"token %d " % token
    return head + b"." * (SHORTEST + token - len(head) - 1) + b"\n"


def token_of(size):
    """The token of a file's length; None for a file that no save has written whole."""
    return size - SHORTEST if size > SHORTEST else None


class Groups:
    """Paths that a file may have had one after the other."""

    def __init__(self):
        self.parents = {}

    def find(self, path):
        while path in self.parents:
            path = self.parents[path]
        return path

    def join(self, one, other):
        one, other = self.find(one), self.find(other)
        if one != other:
            self.parents[one] = other


class Oracle:
    """Keeps what was done, and says what is wrong with what is found."""

    def __init__(self, devices):
        self.groups = Groups()
        self.known = {device: set() for device in devices}
        self.paths = {}
        # Why a token need not be anywhere any more.
        self.gone = {}
        # Tokens that were found nowhere when all devices agreed.
        self.dead = set()
        self.conflicted = set()
        # Since all devices agreed.
        self.unread = {device: set() for device in devices}
        self.writers = {}
        # Known, but put into another file by somebody else, where nobody here has read it.
        self.moved_in = {device: set() for device in devices}
        # Tokens that went with a file that stood for them: they must be in the trash.
        self.in_trash = set()
        self.settings = {}
        self.values = {}

    def next_token(self):
        return len(self.paths) + 1

    # What people did.

    def wrote(self, device, path, token, replaced):
        """A save, over a token that the device may or may not have known."""
        self._mutated(device, path)
        self._filled(device, path, replaced, f"wrote {token}")
        self.paths[token] = path
        self.known[device].add(token)

    def read(self, device, token):
        self.known[device].add(token)
        self.moved_in[device].discard(token)

    def restarted(self, device, tokens):
        """What is on the disk while no daemon runs counts as read, and what it replaced, too."""
        self.known[device].update(tokens)
        for token in self.unread[device]:
            self.gone.setdefault(token, f"{device} had overwritten it when its daemon ended")

    def removed(self, device, path, token):
        group = self._mutated(device, path)
        self._took(device, group)
        if token is not None:
            self.gone.setdefault(token, f"{device} removed it")
            if token not in self.known[device]:
                # What is made under the name now is another save of the file.
                self.writers[group].add("somebody who removed what was not read")

    def moved(self, device, path, target, token, replaced):
        """Who puts a file in another's place has chosen what is in it, read or not."""
        if replaced is not None:
            self.known[device].add(token)
            for other in self.known.keys() - {device}:
                self.moved_in[other].add(token)
        for place in (path, target):
            self._mutated(device, place)
        self._took(device, self.groups.find(path))
        writers = self.writers[self.groups.find(path)] | self.writers[self.groups.find(target)]
        self.groups.join(path, target)
        self.writers[self.groups.find(target)] = writers
        self._filled(device, target, replaced, f"moved {path} there")

    def settled(self, device, path, kept, dropped):
        self._mutated(device, path)
        for token in dropped:
            self.gone.setdefault(token, f"{device} settled for {kept}")

    def set_value(self, device, key, value):
        self.settings.setdefault(key, []).append((device, value))

    def _filled(self, device, path, replaced, how):
        """What the device knew of the file is replaced; what it did not know is to be kept."""
        group = self.groups.find(path)
        for token, place in self.paths.items():
            if token in self.known[device] and self.groups.find(place) == group:
                self.gone.setdefault(token, f"{device} knew it and {how}")
        if replaced is not None and replaced not in self.known[device]:
            self.writers[group].add("somebody who had not read it")
            self.unread[device].add(replaced)
        if replaced in self.moved_in[device]:
            self.writers[group].add("somebody who had not read it there")

    def _took(self, device, group):
        """A file has left its name, perhaps before its last save was seen.

        Then the version goes to the trash that this save had replaced, read or not.
        """
        for token in self.unread[device]:
            if self.groups.find(self.paths[token]) == group and token not in self.gone:
                self.in_trash.add(token)
                self.gone[token] = f"{device} took the file away that it had overwritten"

    def _mutated(self, device, path):
        group = self.groups.find(path)
        self.writers.setdefault(group, set()).add(device)
        return group

    # What is found when all devices agree.

    def judge(self, tree, conflicts, values):
        """What cannot be explained, as sentences; the tree and the conflicts are everybody's."""
        found = self._tokens(tree, conflicts)
        wrong = self._strangers(tree, conflicts)
        for token, path in sorted(self.paths.items()):
            if token not in found and token not in self.gone:
                wrong.append(f"token {token}, saved at {path}, is nowhere")
        for token in sorted(found & self.dead):
            wrong.append(f"token {token} is back: {self.gone.get(token)}")
        self.dead |= set(self.paths) - found
        wrong += self._unexplained_conflicts(conflicts)
        wrong += self._unexplained_values(values)
        self.conflicted = set(conflicts)
        self.unread = {device: set() for device in self.unread}
        self.writers = {}
        self.settings = {}
        self.values = values
        return wrong

    def _tokens(self, tree, conflicts):
        found = {token_of(size) for size in tree.values() if size is not None}
        for heads in conflicts.values():
            found |= {token_of(size) for size in heads}
        return found

    def _strangers(self, tree, conflicts):
        wrong = []
        sizes = [(path, size) for path, size in tree.items() if size is not None]
        sizes += [(path, size) for path, heads in conflicts.items() for size in heads]
        for path, size in sorted(sizes):
            if token_of(size) not in self.paths:
                wrong.append(f"{path} has {size} bytes, which nobody wrote")
        return wrong

    def _unexplained_conflicts(self, conflicts):
        """Two heads need two writers who did not wait for each other, or one who did not read."""
        wrong = []
        for path in sorted(conflicts):
            group = self.groups.find(path)
            conflicted = {self.groups.find(path) for path in self.conflicted}
            # A device may have given the name: then what is in conflict tells whose it was.
            tokens = {token_of(size) for size in conflicts[path]} & self.paths.keys()
            groups = {group} | {self.groups.find(self.paths[token]) for token in tokens}
            writers = set().union(*(self.writers.get(group, ()) for group in groups))
            if groups & conflicted or len(writers) > 1:
                continue
            # Under a name that a device gave: whose it was cannot be told from outside.
            if group in self.writers or path in self.paths.values():
                wrong.append(f"{path} is in conflict, though only {writers} wrote")
        return wrong

    def _unexplained_values(self, values):
        wrong = []
        for key, value in sorted(values.items()):
            written = self.settings.get(key)
            if not written:
                if value != self.values.get(key):
                    wrong.append(f"{key} is {value}, was {self.values.get(key)}, and nobody set it")
                continue
            if value not in [text for _, text in written]:
                wrong.append(f"{key} is {value}, which nobody set")
            if len({device for device, _ in written}) == 1 and value != written[-1][1]:
                wrong.append(f"{key} is {value}, and was last set to {written[-1][1]}")
        return wrong

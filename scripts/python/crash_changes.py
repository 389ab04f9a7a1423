"""What a change does to a state: the contents of files, and the names in folders."""


class Live:
    """The contents of a state, in the inodes themselves."""

    def change(self, op):
        op.inode.data = changed(op.inode.data, op)

    def set_mode(self, inode, mode, _op):
        inode.mode = mode

    def touch(self, _inode, _op):
        pass


LIVE = Live()


def apply(op, entries, state):
    """Makes a change; one that rests on another that did not come is none. Gives whether it was."""
    if op.kind in ("data", "length"):
        state.change(op)
    elif op.kind == "mode":
        state.set_mode(op.inode, op.offset, op)
    elif op.kind == "times":
        state.touch(op.inode, op)
    else:
        return move(op, entries, state)
    return True


def changed(content, op):
    """A content after a write or a cut."""
    if op.kind == "length":
        return content[:op.offset] + bytes(max(0, op.offset - len(content)))
    if len(content) < op.offset:
        content += bytes(op.offset - len(content))
    return content[:op.offset] + op.data + content[op.offset + len(op.data):]


def move(op, entries, state):
    """Names: one that is not as it was when the call was made is left alone."""
    places = [entries.setdefault(folder, {}) for folder in op.folders]
    name = op.names[0]
    if op.kind == "make":
        if name in places[0]:
            return False
        places[0][name] = op.inode
    elif op.kind == "remove":
        if places[0].get(name) is not op.inode:
            return False
        del places[0][name]
    else:
        target = op.names[1]
        if places[0].get(name) is not op.inode or places[1].get(target) is not op.other:
            return False
        if op.kind == "exchange":
            places[0][name] = op.other
        else:
            del places[0][name]
        places[1][target] = op.inode
    state.touch(op.inode, op)
    return True

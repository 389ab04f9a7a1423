"""What strace has written, as calls: all that changes files, of all processes, in one order.

strace is asked for every string in hexadecimal, so that nothing in a name or a content can be taken
for its own signs. A call counts from when it returned: what came of it can only come after that.
"""

import re

CHANGING = (
    "open,openat,openat2,creat,write,pwrite64,writev,pwritev,pwritev2,copy_file_range,sendfile,"
    "splice,ftruncate,truncate,fallocate,lseek,fsync,fdatasync,syncfs,sync,rename,renameat,"
    "renameat2,link,linkat,unlink,unlinkat,symlink,symlinkat,mkdir,mkdirat,rmdir,chmod,fchmod,"
    "fchmodat,utimensat,statx,clone,clone3,fork,vfork")
HEX = r'((?:\\x[0-9a-f]{2})*)'
LINE = re.compile(r"(\d+)\s+(\d+\.\d+) (.*)", re.DOTALL)
RESUMED = re.compile(r"<\.\.\. (\w+) resumed>(.*)", re.DOTALL)
WHOLE = re.compile(r"(\w+)\((.*)\)\s+= (-?\d+|\?)(.*)", re.DOTALL)
PLAIN = r'([^\s,{}\[\]"<>][^,{}\[\]"]*)'
TOKEN = re.compile(rf'"{HEX}"|(AT_FDCWD|\d+)<{HEX}>(?:\(deleted\))?|{PLAIN}')
STAT = re.compile(r"(stx_\w+)=(?:\{tv_sec=(-?\d+), tv_nsec=(\d+)\}|(\w+))")


def arguments(folder, log):
    """strace's own arguments, before the program's."""
    return ["strace", "--follow-forks", "--seccomp-bpf", "--decode-fds=path", "-v", "-xx",
            "--string-limit=67108864", "-ttt", "--quiet=all", "--signal=none", "--output", log,
            "--trace", CHANGING]


class Call:
    """One call that succeeded: its name, its arguments as values, and what it gave."""

    __slots__ = ("name", "values", "result", "thread", "time", "text")

    def __init__(self, name, text, result, thread, time):
        self.name = name
        self.text = text
        self.result = result
        self.thread = thread
        self.time = time
        self.values = values_of(text)

    def stat(self):
        """Of statx, what it said: identity and times."""
        found = {}
        for name, seconds, nanoseconds, plain in STAT.findall(self.text):
            found[name] = (int(seconds), int(nanoseconds)) if seconds else plain
        return found


def unescaped(text):
    return bytes.fromhex(text.replace("\\x", ""))


def values_of(text):
    """Strings as bytes, descriptors as (number, path), all else as text."""
    values = []
    for match in TOKEN.finditer(text):
        string, descriptor, path, plain = match.groups()
        if string is not None:
            values.append(unescaped(string))
        elif descriptor is not None:
            number = -1 if descriptor == "AT_FDCWD" else int(descriptor)
            values.append((number, unescaped(path)))
        elif plain.strip():
            values.append(plain.strip())
    return values


def read(log):
    """The calls that succeeded, in the order in which they returned."""
    begun = {}
    with open(log, encoding="ascii", errors="replace") as lines:
        for line in lines:
            match = LINE.match(line.rstrip("\n"))
            if not match:
                continue
            thread, time, text = match.groups()
            if text.endswith("<unfinished ...>"):
                begun[thread] = text[:-len("<unfinished ...>")]
                continue
            resumed = RESUMED.match(text)
            if resumed:
                text = begun.pop(thread, "") + resumed.group(2)
            whole = WHOLE.match(text)
            if not whole or whole.group(3) in ("-1", "?"):
                continue
            name, inner, result, _ = whole.groups()
            yield Call(name, inner, int(result), int(thread), float(time))

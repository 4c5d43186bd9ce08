"""Runs a command within a bound on its memory: measure.py private|resident BYTES COMMAND…

private: the kernel refuses the command more than BYTES of private writable memory (heap, anonymous maps).
Pages of a mapped file do not count, so a second copy of a file's payloads shows and a view of them does not.

resident: fails when more than BYTES of the command's memory were resident at once. Pages of a mapped file
count when they were touched (with their neighbours, which the kernel brings along).

The exit status is the command's, or 1 where the bound is passed.
"""

import os
import resource
import subprocess
import sys


def main(kind, limit, command):
    def bound():
        if kind == "private":
            resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))

    child = subprocess.Popen(command, preexec_fn=bound)
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    resident = usage.ru_maxrss * 1024
    faults = usage.ru_minflt + usage.ru_majflt
    words = " ".join(os.path.basename(word) for word in command[:2])
    print(f"{words}: {resident / 2**20:.1f} MiB resident at most, {faults} page faults, {kind} bound {limit / 2**20:.0f} MiB")
    if kind == "resident" and resident > limit:
        sys.exit(f"measure.py: {words} had more resident than {limit} bytes")
    sys.exit(child.returncode if child.returncode >= 0 else 1)


if __name__ == "__main__":
    if len(sys.argv) < 4 or sys.argv[1] not in ("private", "resident"):
        sys.exit(__doc__)
    main(sys.argv[1], int(sys.argv[2]), sys.argv[3:])

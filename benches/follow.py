"""Following a file while a burst is appended to it, against tail -F."""

import hashlib
import os
import subprocess
import sys
import time
from pathlib import Path

from jobs import ENVIRONMENT, MIB, Job, shown_size, tool
from memory import high_water

FIRST = b"the line that was there\n"


class Burst(Job):
    """A burst of a whole log. Wall time goes from its first write until the last byte has left the pipe."""

    def __init__(self, name, ours, peers, log, size, folder):
        super().__init__(name, ours, peers, same=False)
        self.log, self.size, self.file, self.peak = log, size, str(folder / "followed.log"), 0

    def run(self, pipeline, _target, environment, reader=None):
        """Wall seconds, and twice the CPU seconds of the follower: the writer is not part of the job."""
        Path(self.file).write_bytes(FIRST)
        follower = subprocess.Popen(pipeline[0], env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
        out = follower.stdout.fileno()
        # From here on it follows; tail sets up its watches after its first output.
        if os.read(out, len(FIRST)) != FIRST:
            sys.exit(f"unexpected beginning: {pipeline[0]}")
        time.sleep(0.1)
        last = subprocess.Popen(reader or [tool("head"), "-c", str(self.size)], stdin=out,
                                stdout=subprocess.PIPE if reader else subprocess.DEVNULL)
        begun = time.perf_counter()
        with open(self.file, "ab") as file:
            writer = subprocess.Popen([tool("dd"), f"if={self.log}", "bs=64K", "status=none"], stdout=file)
        found = last.communicate()[0]
        wall = time.perf_counter() - begun
        if writer.wait() or last.returncode:
            sys.exit(f"failed: {pipeline[0]}")
        if pipeline is self.ours:
            self.peak = max(self.peak, high_water(follower.pid))
        follower.stdout.close()
        follower.terminate()
        _, _, usage = os.wait4(follower.pid, 0)
        follower.returncode = 0
        spent = usage.ru_utime + usage.ru_stime
        os.remove(self.file)
        if reader:
            return found
        return wall, spent, spent

    def check(self):
        """Every program passes on the bytes of the log."""
        expected = hashlib.blake2b()
        with open(self.log, "rb") as log:
            while block := log.read(MIB):
                expected.update(block)
        program = "import hashlib,os,sys\nleft,h=int(sys.argv[1]),hashlib.blake2b()\n" \
                  "while left>0:\n b=os.read(0,min(left,1<<20)); h.update(b); left-=len(b) or sys.exit(1)\n" \
                  "print(h.hexdigest())"
        for pipeline in self.pipelines():
            reader = [sys.executable, "-c", program, str(self.size)]
            found = self.run(pipeline, None, self.environment, reader).decode().strip()
            if found != expected.hexdigest():
                sys.exit(f"{self.name}: {pipeline[0]} does not pass on the bytes that were appended")


def follow_jobs(rread, log, folder):
    size, file = os.path.getsize(log), str(folder / "followed.log")

    def job(what, options, target):
        ours = [[rread, "follow", "-n", "1", *options, file]]
        peer = [[tool("tail"), "-n", "1", "-F", file]]
        name = f"follow: a burst of {shown_size(size)} to a pipe, {what}"
        return Burst(name, ours, [(peer, target)], log, size, folder)

    return [
        job("raw", ["--raw"], {"wall": 2.0, "cpu": 1.0}),
        job("text", [], {"wall": 2.0, "cpu": 2.0}),
        job("until a match", ["--until-match", "no line has this"], {"wall": 2.0}),
    ]

"""One worker process of a sweep: reads jobs as lines of JSON, runs them, answers with lines of JSON.

    job:     {"scenario": {...}, "folder": "..."}
    answers: {"at": simulated share done, "hops": packet-hops} about ten times a second, then
             {"done": true} or {"failed": "why"}

Lines of answers begin with `ANSWER`. Other lines are of others: of a sitecustomize.py before the first answer, and of
programs that it has started also between answers; what this process prints later goes to stderr.

It ends when its input does, so it never outlives the program that started it for long; on Linux it ends at once.
"""

import contextlib
import json
import os
import signal
import sys

ANSWER = "congestree: "


def end_with(parent):
    """Have the kernel kill this process when its parent ends, for whatever reason. Only Linux can do this."""
    with contextlib.suppress(OSError, AttributeError, ImportError):
        import ctypes

        PR_SET_PDEATHSIG = 1
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:  # it has ended already
        sys.exit(1)


def main():
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent decides when to stop
    if sys.platform == "linux" and len(sys.argv) > 1:
        end_with(int(sys.argv[1]))
    sys.stdout.flush()
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    from ..runs import running

    def answer(**facts):
        answers.write(f"\n{ANSWER}{json.dumps(facts)}\n")  # others may have left the end of a line to us
        answers.flush()

    def progress(now, end, hops):
        answer(at=now / end if end else 1.0, hops=hops)

    for line in sys.stdin:
        job = json.loads(line)
        try:
            limit = job.get("limit_memory")
            running.run_once(job["scenario"], job["folder"], on_progress=progress, limit_memory=limit)
            answer(done=True)
        except BrokenPipeError:
            return
        except BaseException as error:  # a panic of the engine too: report it, take the next job
            answer(failed=str(error) or type(error).__name__)


if __name__ == "__main__":
    main()

"""One worker process of a sweep: reads jobs as lines of JSON, runs them, answers with lines of JSON.

    job:     {"scenario": {...}, "folder": "..."}
    answers: {"at": simulated share done, "hops": packet-hops} about ten times a second, then
             {"done": true} or {"failed": "why"}

It ends when its input does, so it never outlives the program that started it for long.
"""

import json
import signal
import sys


def main():
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent decides when to stop
    from . import running

    def answer(**facts):
        sys.stdout.write(json.dumps(facts) + "\n")
        sys.stdout.flush()

    def progress(now, end, hops):
        answer(at=now / end if end else 1.0, hops=hops)

    for line in sys.stdin:
        job = json.loads(line)
        try:
            running.run(job["scenario"], out=job["folder"], on_progress=progress)
            answer(done=True)
        except BrokenPipeError:
            return
        except BaseException as error:  # a panic of the engine too: report it, take the next job
            answer(failed=str(error) or type(error).__name__)


if __name__ == "__main__":
    main()

"""The C interface, as docs/howto/c-and-astra-sim.md describes it: built, called, and its refusals."""

import re

import pytest

from .capi import MARKS, PAGE, SCENARIO, call, steps

pytestmark = MARKS


def compiled(prefix, name, text):
    """A program of strict C99."""
    source = prefix / name
    source.write_text(text)
    flags = ["-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic", f"-I{prefix}/include", f"-L{prefix}/lib"]
    done = call("cc", *flags, f"-Wl,-rpath,{prefix}/lib", source, "-lcongestree", "-o", source.with_suffix(""))
    assert done.returncode == 0, done.stderr
    return source.with_suffix("")


def test_the_program_of_the_page_runs(installed):
    text = re.search(r'```c title="pair.c"\n(.*?)```', PAGE.read_text(), re.S)[1]
    program = compiled(installed, "pair.c", text)
    program.unlink()
    done = call("sh", "-e", "-c", steps("cc pair.c", installed), cwd=installed)
    assert done.returncode == 0, done.stderr
    wire = (2**20 + 64 * 256) * 8 / 100e9
    at = int(re.fullmatch(r"message 1 delivered at (\d+) ps\n", done.stdout)[1])
    assert at == pytest.approx((3e-6 + wire + 400e-9) * 1e12, rel=0.01)
    assert "cannot be read" in call(program, installed / "nothing.toml").stderr


BAD = r"""
#include <stdio.h>
#include <string.h>
#include <congestree.h>
static void say(int answer) {
  char reason[2000];
  congestree_error(reason, sizeof reason);
  printf("%d %s\n", answer, answer ? reason : "");
}
int main(int count, char **words) {
  uint64_t s = 0, t = 0, n = 0;
  size_t waiting = 0;
  uint32_t host;
  uint16_t entry;
  char small[6];
  congestree_notice notice;
  if (count != 2) return 2;
  say(congestree_open(NULL, UINT64_MAX, &s));
  say(congestree_open(words[1], UINT64_MAX, NULL));
  say(congestree_open(words[1], 1000, &s));
  say(congestree_open_text("no scenario", UINT64_MAX, &s));
  say(congestree_open_text("\xff", UINT64_MAX, &s));
  say(congestree_advance(99, 0, &waiting));
  say(congestree_open(words[1], UINT64_MAX, &s));
  say(congestree_open(words[1], UINT64_MAX, &t));
  say(congestree_host(s, "nobody", &host));
  say(congestree_entry(s, NULL, &entry));
  say(congestree_inject(s, 0, 0, 0, 0, 9, 1, &n));
  say(congestree_inject(s, 0, 0, 0, 3, 3, 1, &n));
  say(congestree_inject(s, 0, 0, 0, 0, 1, 0, &n));
  say(congestree_inject(s, 0, 0, 0, 0, 1, UINT64_MAX, &n));
  say(congestree_inject(s, 0, 0, 0, 0, 1, 1, NULL));
  say(congestree_inject(s, 0, 0, 7, 0, 1, 1, &n));
  say(congestree_advance(s, UINT64_MAX, &waiting));
  say(congestree_schedule(s, 2000, 0, 5));
  say(congestree_advance(s, 3000, &waiting));
  say(congestree_fetch(s, NULL));
  say(congestree_fetch(s, &notice));
  if (waiting != 1 || notice.kind != CONGESTREE_DUE || notice.what != 5 || notice.at != 2000) return 3;
  say(congestree_schedule(s, 1999, 0, 6));
  if (congestree_error(small, sizeof small) < sizeof small || strlen(small) != 5 || strcmp(small, "1.999")) return 4;
  say(congestree_fetch(s, &notice));
  say(congestree_close(s, NULL));
  say(congestree_close(s, NULL));
  say(congestree_fetch(s, &notice));
  say(congestree_drain(t, &waiting));
  return notice.kind == CONGESTREE_NONE && waiting == 0 ? congestree_close(t, NULL) : 1;
}
"""
TOLD = """1 text is missing
1 no place for the result
4 memory in C
4 scenario:1:4
1 not in UTF-8
2 no open simulation 99
0
0
1 no host "nobody"
1 text is missing
5 no host 9
5 send to itself
5 a message of 0 B
5 a message of 18446744073709551615 B
1 no place for the result
5 sends no injected messages
5 end of the scenario
0
0
1 no place
0
5 in the past
0
0
2 no open simulation
2 no open simulation
0""".splitlines()


def test_bad_calls_from_c_are_refused(installed):
    done = call(compiled(installed, "bad.c", BAD), installed / "live.toml")
    told = re.split(r"^(?=\d )", done.stdout, flags=re.M)[1:]
    assert len(told) == len(TOLD), done.stdout
    for line, expected in zip(told, TOLD, strict=True):
        code, _, part = expected.partition(" ")
        assert line.startswith(f"{code} ") and part in line, done.stdout
    assert done.returncode == 0, done.stderr


AT_EXIT = r"""
#include <stdio.h>
#include <stdlib.h>
#include <congestree.h>
static uint64_t s;
static void late(void) {
  char reason[100];
  printf("%d ", congestree_close(s, NULL));
  printf("%d ", congestree_close(s, NULL));
  congestree_error(reason, sizeof reason);
}
int main(int count, char **words) {
  if (count != 2 || congestree_open("/nowhere", 0, &s) != CONGESTREE_SCENARIO) return 1;
  if (congestree_open(words[1], UINT64_MAX, &s) != CONGESTREE_OK) return 2;
  return atexit(late);
}
"""


def test_a_refusal_while_the_program_ends_does_not_abort_it(installed):
    """The data of a thread is gone by then, and with it the place for the reason."""
    done = call(compiled(installed, "at_exit.c", AT_EXIT), installed / "live.toml")
    assert (done.returncode, done.stdout) == (0, "0 2 "), done.stderr


LOOKS = r"""
#include <stdio.h>
#include <string.h>
#include <congestree.h>
int main(int count, char **words) {
  uint64_t s = 0, n = 0, now = 0;
  size_t rows = 0, length = 0, some = 0, waiting = 0;
  double bytes[64], two[2] = {-1, -1};
  char name[20], error[400];
  if (count != 3 || congestree_open(words[1], UINT64_MAX, &s) != CONGESTREE_OK) return 1;
  for (uint32_t from = 0; from < 3; from++)
    if (congestree_inject(s, 0, 0, 0, from, 7, 100000, &n) != CONGESTREE_OK) return 2;
  if (congestree_drain(s, &waiting) != CONGESTREE_OK || congestree_now(s, &now) != CONGESTREE_OK) return 3;
  if (congestree_observe(s, "ports.bytes", NULL, 0, &rows) != CONGESTREE_OK || rows > 64) return 4;
  if (congestree_observe(s, "ports.bytes", bytes, 64, &some) != CONGESTREE_OK || some != rows) return 5;
  if (congestree_observe(s, "ports.bytes", two, 1, &some) != CONGESTREE_OK) return 6;
  if (two[0] != bytes[0] || two[1] != -1) return 6;
  for (size_t row = 0; row < rows; row++) {
    if (congestree_observe_name(s, "ports.name", row, name, sizeof name, &length) != CONGESTREE_OK) return 7;
    if (bytes[row] > 0) printf("%s %.0f\n", name, bytes[row]);
  }
  if (congestree_observe(s, "ports.name", bytes, 64, &some) != CONGESTREE_ARGUMENT) return 8;
  if (congestree_observe_name(s, "ports.name", 0, name, 3, &length) != CONGESTREE_OK || strlen(name) != 2) return 9;
  if (congestree_change(s, words[2]) != CONGESTREE_REFUSED) return 10;
  // After a byte-order mark, JSON is JSON: what is told is a key, not the syntax of TOML.
  if (congestree_open_text("\xef\xbb\xbf{\"lnks\": {}}", UINT64_MAX, &n) != CONGESTREE_SCENARIO) return 13;
  if (!congestree_error(error, sizeof error) || !strstr(error, "lnks")) return 14;
  if (congestree_change(s, "?") != CONGESTREE_SCENARIO) return 11;
  if (!congestree_error(name, sizeof name) || strncmp(name, "scenario:1:2", 12) != 0) return 12;
  printf("%llu\n", (unsigned long long)now);
  return congestree_close(s, NULL);
}
"""


def test_c_sees_what_is_counted_and_changes_the_marking_alone(installed):
    other = SCENARIO + '[scheme]\npreset = "ib-cc"\n'
    done = call(compiled(installed, "looks.c", LOOKS), installed / "live.toml", other)
    assert done.returncode == 0, done.stderr
    *ports, now = done.stdout.splitlines()
    sent = dict(line.split() for line in ports)
    (last,) = (int(count) for name, count in sent.items() if name.endswith("->H8"))
    assert last >= 300_000 and last == sum(int(n) for name, n in sent.items() if name[:4] in ("H1->", "H2->", "H3->"))
    assert 24e-6 < int(now) / 1e12 < 50e-6

/* congestree: a simulation of a network that a program drives.
 *
 * A simulation is a number. Times are in picoseconds, sizes in bytes. Hosts and entries of traffic are numbers in the order
 * of the scenario; congestree_host and congestree_entry find them by name. The scenario needs an entry of traffic with
 * arrivals = "injected".
 *
 * Every call answers CONGESTREE_OK, or the kind of what is wrong: then nothing has changed, and congestree_error says what it
 * is and what to do about it. Only where a simulation comes to a stop on the way (packets that wait for each other in a circle)
 * it has gone on until then, and what was delivered before can be fetched. Texts end with a zero byte and are in UTF-8. Pointers for results point to room for one value;
 * none is kept. Calls may come from any thread; a simulation serves one at a time.
 *
 * What is asked for one instant is done in the order of (time, rank, sequence of calls), after everything else of that
 * instant, so that a replay has the same fingerprints.
 */
#ifndef CONGESTREE_H
#define CONGESTREE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What a call answers. */
enum {
  CONGESTREE_OK = 0,
  CONGESTREE_ARGUMENT = 1, /* a pointer is null, a text is not in UTF-8, or a name is not known */
  CONGESTREE_CLOSED = 2,   /* no simulation of this number is open */
  CONGESTREE_BUSY = 3,     /* another thread is in a call on this simulation */
  CONGESTREE_SCENARIO = 4, /* the scenario cannot be read or makes no sense */
  CONGESTREE_REFUSED = 5,  /* the call makes no sense, such as a time in the past */
  CONGESTREE_FAULT = 6     /* a fault of congestree itself; the simulation is lost and can only be closed */
};

/* Kinds of notices. */
enum { CONGESTREE_NONE = 0, CONGESTREE_DELIVERED = 1, CONGESTREE_DUE = 2 };

typedef struct {
  uint64_t at;   /* ps */
  uint64_t what; /* number of the message, or name of the external event */
  uint32_t kind; /* one of the above */
} congestree_notice;

typedef struct {
  uint64_t trajectory;  /* fingerprint of all transmissions */
  uint64_t results;     /* fingerprint of all deliveries */
  uint64_t packet_hops; /* packets times links */
} congestree_result;

/* Opens the simulation of a scenario: a file, or a text in TOML or JSON. It may take so many bytes of memory, by the estimate
 * that congestree makes before it builds the network; UINT64_MAX: as many as it likes. */
int congestree_open(const char *path, uint64_t memory, uint64_t *simulation);
int congestree_open_text(const char *scenario, uint64_t memory, uint64_t *simulation);

/* Gives a message to host `from`, at an instant from now on. `rank` orders what is asked for one instant. */
int congestree_inject(uint64_t simulation, uint64_t at, uint32_t rank, uint16_t entry, uint32_t from, uint32_t to,
                      uint64_t bytes, uint64_t *number);

/* Lets congestree_advance stop at an instant; the notice has this name. */
int congestree_schedule(uint64_t simulation, uint64_t at, uint32_t rank, uint64_t name);

/* Goes on until there is something to tell, at most until then; how many notices wait. While some wait it does not go on. */
int congestree_advance(uint64_t simulation, uint64_t until, size_t *notices);

/* Goes on until nothing is left to do, or the end of the scenario; how many notices wait. The present is then the instant at
 * which the last of it happened, or the end of the scenario if something is left to do after it. */
int congestree_drain(uint64_t simulation, size_t *notices);

/* Fetches the next notice; its kind is CONGESTREE_NONE if none waits. */
int congestree_fetch(uint64_t simulation, congestree_notice *notice);

/* What has been counted so far after measure.warm_up, by the rows of a column: "flows.bytes", "flows.marked", "ports.bytes",
 * "ports.blocked" (s), "ports.marked"; and what is the case now: "ports.waiting" (B in the switch; 0 for a host's own port),
 * "ports.held" (1: yes). Up to `room` values are written, or none if `values` is null; `rows` says how many there are. The
 * columns are those of the tables `flows` and `ports` of a run. */
int congestree_observe(uint64_t simulation, const char *column, double *values, size_t room, size_t *rows);

/* The name in a row of a column of names, "flows.name" or "ports.name": up to room - 1 bytes and a zero; its length. */
int congestree_observe_name(uint64_t simulation, const char *column, size_t row, char *buffer, size_t room, size_t *length);

/* Other parameters of the marking from now on: the scenario once more, as a text, with other values below scheme.mark. */
int congestree_change(uint64_t simulation, const char *scenario);

/* The present, and the end of the scenario. */
int congestree_now(uint64_t simulation, uint64_t *now);
int congestree_end(uint64_t simulation, uint64_t *end);

/* How many hosts there are; the number of a host, and of an entry of traffic, by name. */
int congestree_hosts(uint64_t simulation, uint32_t *hosts);
int congestree_host(uint64_t simulation, const char *name, uint32_t *host);
int congestree_entry(uint64_t simulation, const char *name, uint16_t *entry);

/* Ends it, whatever it answers but CONGESTREE_BUSY: then it stays open, to be closed when the other call has returned.
 * `result` may be null. */
int congestree_close(uint64_t simulation, congestree_result *result);

/* What was wrong with the last call of this thread that was refused: up to room - 1 bytes and a zero; answers the length of
 * all of it. In what runs when a thread or the program ends (atexit) there may be no text any more. */
size_t congestree_error(char *buffer, size_t room);

#ifdef __cplusplus
}
#endif

#endif

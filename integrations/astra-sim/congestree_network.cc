// See congestree_network.hh. Times cross the border in ns, rounded up; within a ns the order is that of the ps behind it.
#include "congestree_network.hh"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "congestree.h"

namespace congestree {

namespace {

constexpr uint64_t kPsPerNs = 1000;
// A message of no bytes takes a packet with one, as in a job; who waits for it waits for that.
constexpr uint64_t kLeast = 1;

// Every refusal is a fault of the driver or of the scenario: it is told, with its remedy.
void check(int answer) {
  if (answer == CONGESTREE_OK) return;
  std::string reason(congestree_error(nullptr, 0) + 1, '\0');
  congestree_error(reason.data(), reason.size());
  reason.pop_back();
  throw std::runtime_error("congestree: " + reason);
}

Callback bound(Handler handler, void* argument) {
  return [handler, argument] {
    if (handler != nullptr) handler(argument);
  };
}

long double in_ns(AstraSim::timespec_t time) {
  switch (time.time_res) {
    case AstraSim::SE: return time.time_val * 1e9L;
    case AstraSim::MS: return time.time_val * 1e6L;
    case AstraSim::US: return time.time_val * 1e3L;
    case AstraSim::NS: return time.time_val;
    case AstraSim::FS: return time.time_val / 1e6L;
  }
  throw std::runtime_error("congestree: a time has no unit: give it one of time_type_e");
}

}  // namespace

EventLoop::EventLoop(const std::string& scenario, const std::string& entry, std::vector<double> bandwidths)
    : bandwidths_(std::move(bandwidths)) {
  check(congestree_open(scenario.c_str(), UINT64_MAX, &simulation_));
  open_ = true;
  try {
    check(congestree_entry(simulation_, entry.c_str(), &entry_));
  } catch (...) {
    congestree_close(simulation_, nullptr);
    throw;
  }
}

EventLoop::~EventLoop() {
  if (open_) congestree_close(simulation_, nullptr);
}

int EventLoop::hosts() const {
  uint32_t hosts = 0;
  check(congestree_hosts(simulation_, &hosts));
  return static_cast<int>(hosts);
}

uint64_t EventLoop::now_ps() const {
  uint64_t now = 0;
  check(congestree_now(simulation_, &now));
  return now;
}

// As check, and kept until the loop goes on.
void EventLoop::ask(int answer) {
  try {
    check(answer);
  } catch (const std::runtime_error& error) {
    if (refused_.empty()) refused_ = error.what();
    throw;
  }
}

uint64_t EventLoop::now_ns() const { return (now_ps() + kPsPerNs - 1) / kPsPerNs; }

bool EventLoop::run(int ranks) {
  uint64_t end = 0;
  check(congestree_end(simulation_, &end));
  const auto all = static_cast<size_t>(ranks);
  while (refused_.empty() && finished_.size() < all) {
    size_t waiting = 0;
    check(congestree_advance(simulation_, end, &waiting));
    if (waiting == 0) break;
    while (refused_.empty() && waiting-- > 0) {
      congestree_notice notice{};
      check(congestree_fetch(simulation_, &notice));
      if (notice.kind == CONGESTREE_DUE) {
        events_.extract(notice.what).mapped()();
      } else if (notice.kind == CONGESTREE_DELIVERED) {
        arrived(messages_.extract(notice.what).mapped());
      }
    }
  }
  if (!refused_.empty()) throw std::runtime_error(refused_);
  return finished_.size() >= all;
}

void EventLoop::send(int from, int to, int tag, uint64_t bytes, Callback sent) {
  bytes = std::max(bytes, kLeast);
  Message message{{tag, from, to}, bytes, std::move(sent)};
  if (from == to) {  // nothing that the network could carry
    at(from, now_ps(), [this, message = std::move(message)] { arrived(message); });
    return;
  }
  uint64_t number = 0;
  ask(congestree_inject(simulation_, now_ps(), from, entry_, from, to, bytes, &number));
  messages_.emplace(number, std::move(message));
}

void EventLoop::receive(int from, int to, int tag, uint64_t bytes, Callback received) {
  const Key key{tag, from, to};
  bytes = std::max(bytes, kLeast);
  receives_[key].push_back({bytes, std::move(received)});
  // Calling back before this has returned would surprise the caller: what is there already comes at once, but after it.
  if (receives_[key].size() == 1 && surplus_[key] >= bytes) at(to, now_ps(), [this, key] { serve(key); });
}

void EventLoop::schedule(int rank, uint64_t delta_ns, Callback callback) {
  // From the time that the caller was told, which is rounded up; nothing at all is now.
  at(rank, delta_ns == 0 ? now_ps() : (now_ns() + delta_ns) * kPsPerNs, std::move(callback));
}

void EventLoop::at(int rank, uint64_t ps, Callback callback) {
  const uint64_t name = ++events_so_far_;
  ask(congestree_schedule(simulation_, ps, rank, name));
  events_.emplace(name, std::move(callback));
}

void EventLoop::arrived(const Message& message) {
  surplus_[message.key] += message.bytes;
  // The sender hears of it first: its message counts as sent when it is in.
  message.sent();
  serve(message.key);
}

// Receives of a key are met in order, each when as many bytes have come in as it asks for; the rest is kept. A key of
// which nothing is left is forgotten: some drivers give each message a tag of its own.
void EventLoop::serve(const Key& key) {
  auto& waiting = receives_[key];
  auto& surplus = surplus_[key];
  while (!waiting.empty() && surplus >= waiting.front().bytes) {
    const Receive receive = std::move(waiting.front());
    waiting.pop_front();
    surplus -= receive.bytes;
    receive.received();  // may ask for more, but is served only after it has returned
  }
  if (waiting.empty() && surplus == 0) {
    receives_.erase(key);
    surplus_.erase(key);
  }
}

double EventLoop::bandwidth(int dimension) const {
  const auto place = static_cast<size_t>(dimension);
  return dimension >= 0 && place < bandwidths_.size() ? bandwidths_[place] : -1;
}

std::pair<uint64_t, uint64_t> EventLoop::close() {
  congestree_result result{};
  open_ = false;
  check(congestree_close(simulation_, &result));
  return {result.trajectory, result.results};
}

int CongestreeNetwork::sim_send(void*, uint64_t count, int, int dst, int tag, AstraSim::sim_request*, Handler handler,
                                void* argument) {
  loop_.send(rank, dst, tag, count, bound(handler, argument));
  return 0;
}

int CongestreeNetwork::sim_recv(void*, uint64_t count, int, int src, int tag, AstraSim::sim_request*, Handler handler,
                                void* argument) {
  loop_.receive(src, rank, tag, count, bound(handler, argument));
  return 0;
}

void CongestreeNetwork::sim_schedule(AstraSim::timespec_t delta, Handler function, void* argument) {
  loop_.schedule(rank, static_cast<uint64_t>(std::ceil(in_ns(delta))), bound(function, argument));
}

AstraSim::timespec_t CongestreeNetwork::sim_get_time() {
  return {AstraSim::NS, static_cast<long double>(loop_.now_ns())};
}

}  // namespace congestree

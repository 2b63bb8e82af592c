// astra-sim on a network of congestree: one CongestreeNetwork a rank, one EventLoop for all of them.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "astra-sim/common/AstraNetworkAPI.hh"

namespace congestree {

using Handler = void (*)(void*);
using Callback = std::function<void()>;

// The simulation that all ranks share. Every rank is on the host of its number.
class EventLoop {
 public:
  // A scenario file, its entry of traffic with arrivals = "injected", and bandwidths by dimension (GB/s) for those who ask.
  // Throws std::runtime_error if it makes no sense, as all calls do.
  EventLoop(const std::string& scenario, const std::string& entry, std::vector<double> bandwidths = {});
  ~EventLoop();
  EventLoop(const EventLoop&) = delete;
  EventLoop& operator=(const EventLoop&) = delete;

  // Goes on until so many ranks have finished, or nothing is left to do; whether they have. Throws what was refused in a
  // handler, too, if who called the handler kept it to himself, as astra-sim does.
  bool run(int ranks);

  int hosts() const;
  size_t under_way() const { return messages_.size(); }  // messages that are sent and not delivered
  uint64_t now_ns() const;  // rounded up
  void send(int from, int to, int tag, uint64_t bytes, Callback sent);
  void receive(int from, int to, int tag, uint64_t bytes, Callback received);
  void schedule(int rank, uint64_t delta_ns, Callback callback);
  void finished(int rank) { finished_.insert(rank); }  // once or more
  double bandwidth(int dimension) const;
  // Ends it; fingerprints of transmissions and deliveries.
  std::pair<uint64_t, uint64_t> close();

 private:
  using Key = std::tuple<int, int, int>;  // tag, source, destination
  struct Message {
    Key key;
    uint64_t bytes;
    Callback sent;
  };
  struct Receive {
    uint64_t bytes;
    Callback received;
  };

  uint64_t now_ps() const;
  void ask(int answer);
  void at(int rank, uint64_t ps, Callback callback);
  void arrived(const Message& message);
  void serve(const Key& key);

  uint64_t simulation_ = 0;
  bool open_ = false;
  uint16_t entry_ = 0;
  std::set<int> finished_;
  std::string refused_;
  uint64_t events_so_far_ = 0;
  std::vector<double> bandwidths_;
  std::unordered_map<uint64_t, Message> messages_;
  std::unordered_map<uint64_t, Callback> events_;
  std::map<Key, uint64_t> surplus_;  // bytes that have come in and that nobody has asked for
  std::map<Key, std::deque<Receive>> receives_;
};

// The network as one rank sees it.
class CongestreeNetwork : public AstraSim::AstraNetworkAPI {
 public:
  CongestreeNetwork(int rank, EventLoop& loop) : AstraNetworkAPI(rank), loop_(loop) {}

  int sim_send(void*, uint64_t count, int type, int dst, int tag, AstraSim::sim_request*, Handler handler,
               void* argument) override;
  int sim_recv(void*, uint64_t count, int type, int src, int tag, AstraSim::sim_request*, Handler handler,
               void* argument) override;
  void sim_schedule(AstraSim::timespec_t delta, Handler function, void* argument) override;
  AstraSim::timespec_t sim_get_time() override;
  double get_BW_at_dimension(int dimension) override { return loop_.bandwidth(dimension); }
  void sim_notify_finished() override { loop_.finished(rank); }

 private:
  EventLoop& loop_;
};

}  // namespace congestree

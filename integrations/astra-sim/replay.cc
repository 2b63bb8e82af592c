// Replays Chakra traces (computations, memory, sends, receives) through the calls of AstraNetworkAPI, as astra-sim would.
//
//   replay SCENARIO ENTRY TRACE.0.et TRACE.1.et ...
//
// Prints when each rank had finished (ns), and the fingerprints. Other nodes than these are told, and end the program.
#include <algorithm>
#include <cstdio>
#include <memory>

#include "chakra.hh"
#include "congestree_network.hh"

namespace {

// A rank at work: issues what may start. Computations take turns on its accelerator, those of the host on the host's
// processor, and loads and stores on the memory, as in a job of congestree.
class Rank {
 public:
  Rank(int rank, congestree::EventLoop& loop, std::vector<chakra::Node> nodes)
      : network_(rank, loop), nodes_(std::move(nodes)), followers_(nodes_.size()), left_(nodes_.size()), open_(nodes_.size()) {
    std::unordered_map<uint64_t, size_t> place;
    for (size_t i = 0; i < nodes_.size(); ++i) place.emplace(nodes_[i].id, i);
    for (size_t i = 0; i < nodes_.size(); ++i) {
      for (const uint64_t before : nodes_[i].after) {
        const auto found = place.find(before);
        if (found == place.end()) continue;  // recorders cut dependencies off
        followers_[found->second].push_back(i);
        ++left_[i];
      }
    }
  }

  void begin() {
    if (open_ == 0) network_.sim_notify_finished();
    std::vector<size_t> first;
    for (size_t i = 0; i < nodes_.size(); ++i) {
      if (left_[i] == 0) first.push_back(i);
    }
    for (const size_t i : first) issue(i);
  }

  long double finished() const { return finished_; }
  size_t open() const { return open_; }

 private:
  struct Done {
    Rank* rank;
    size_t node;
  };

  static void done(void* argument) {
    const Done what = *static_cast<Done*>(argument);
    what.rank->finish(what.node);
  }

  void issue(size_t i) {
    const chakra::Node& node = nodes_[i];
    pending_.push_back(std::make_unique<Done>(Done{this, i}));
    Done* what = pending_.back().get();
    const int tag = static_cast<int>(node.tag);
    if (tag != node.tag) {
      throw std::runtime_error("node " + std::to_string(node.id) + " has the tag " + std::to_string(node.tag) +
                               ", which AstraNetworkAPI cannot carry: tags are of 32 bits");
    }
    switch (node.kind) {
      case chakra::kSend:
        network_.sim_send(nullptr, static_cast<uint64_t>(node.bytes), 0, static_cast<int>(node.destination), tag, nullptr, done, what);
        break;
      case chakra::kReceive:
        network_.sim_recv(nullptr, static_cast<uint64_t>(node.bytes), 0, static_cast<int>(node.source), tag, nullptr, done, what);
        break;
      case chakra::kMetadata:
        network_.sim_schedule({AstraSim::NS, 0}, done, what);
        break;
      case chakra::kLoad:
      case chakra::kStore:
        occupy(memory_, what);
        break;
      case chakra::kComp:
        occupy(node.by_cpu != 0 ? host_ : accelerator_, what);
        break;
      default:
        throw std::runtime_error("node " + std::to_string(node.id) + " is of kind " + std::to_string(node.kind) +
                                 ": only metadata, memory, computations, sends and receives (1 to 6) are replayed");
    }
  }

  // The node gets a processor, which is busy until `free_at`, as soon as this is free.
  void occupy(long double& free_at, Done* what) {
    const long double now = network_.sim_get_time().time_val;
    free_at = std::max(free_at, now) + static_cast<long double>(nodes_[what->node].duration_us) * 1000;
    network_.sim_schedule({AstraSim::NS, free_at - now}, done, what);
  }

  void finish(size_t i) {
    finished_ = network_.sim_get_time().time_val;
    for (const size_t next : followers_[i]) {
      if (--left_[next] == 0) issue(next);
    }
    if (--open_ == 0) network_.sim_notify_finished();
  }

  congestree::CongestreeNetwork network_;
  std::vector<chakra::Node> nodes_;
  std::vector<std::vector<size_t>> followers_;
  std::vector<size_t> left_;
  std::vector<std::unique_ptr<Done>> pending_;
  size_t open_;
  long double accelerator_ = 0, host_ = 0, memory_ = 0, finished_ = 0;
};

int replay(const std::string& scenario, const std::string& entry, const std::vector<std::string>& traces) {
  congestree::EventLoop loop(scenario, entry);
  std::vector<std::unique_ptr<Rank>> ranks;
  for (const std::string& trace : traces) {
    ranks.push_back(std::make_unique<Rank>(static_cast<int>(ranks.size()), loop, chakra::read(trace)));
  }
  for (auto& rank : ranks) rank->begin();
  const bool all = loop.run(static_cast<int>(ranks.size()));
  const size_t under_way = loop.under_way();
  if (!all && under_way > 0) {
    std::fprintf(stderr, "the scenario ended at %llu ns with %zu message%s under way: raise measure.duration\n",
                 static_cast<unsigned long long>(loop.now_ns()), under_way, under_way == 1 ? "" : "s");
  }
  for (size_t i = 0; i < ranks.size(); ++i) {
    if (ranks[i]->open() > 0 && under_way > 0) {
      std::fprintf(stderr, "rank %zu had not finished: %zu of its nodes were left\n", i, ranks[i]->open());
    } else if (ranks[i]->open() > 0) {
      std::fprintf(stderr, "rank %zu waits for ever: %zu of its nodes do not finish; see who should send to it\n", i,
                   ranks[i]->open());
    } else {
      std::printf("rank %zu finished at %.0Lf ns\n", i, ranks[i]->finished());
    }
  }
  const auto [trajectory, results] = loop.close();
  std::printf("fingerprints %016llx %016llx\n", static_cast<unsigned long long>(trajectory),
              static_cast<unsigned long long>(results));
  return all ? 0 : 1;
}

}  // namespace

int main(int count, char** words) {
  if (count < 4) {
    std::fprintf(stderr, "usage: replay SCENARIO ENTRY TRACE...\n");
    return 2;
  }
  try {
    return replay(words[1], words[2], {words + 3, words + count});
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}

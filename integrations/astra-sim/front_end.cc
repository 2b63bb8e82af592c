// The program that astra-sim is with this network: made in its tree, see README.md.
//
//   AstraSim_Congestree SCENARIO ENTRY WORKLOAD SYSTEM MEMORY GROUPS DIMENSION[:GB/s]...
//
// WORKLOAD, SYSTEM, MEMORY and GROUPS are astra-sim's own configurations (GROUPS may be `empty`); the dimensions say how its
// ranks are counted, such as 8 4 for 32 ranks, and what the bandwidth in each is taken to be by whoever asks.
#include <cstdio>
#include <functional>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

#include <remote_memory_backend/analytical/AnalyticalRemoteMemory.hh>

#include "astra-sim/common/Logging.hh"
#include "astra-sim/system/Sys.hh"
#include "congestree_network.hh"

namespace {

struct Dimensions {
  std::vector<int> sizes;
  std::vector<double> bandwidths;
};

Dimensions read(char** words, int count) {
  Dimensions dimensions;
  for (int i = 0; i < count; ++i) {
    const std::string word = words[i];
    const size_t colon = word.find(':');
    dimensions.sizes.push_back(std::stoi(word.substr(0, colon)));
    dimensions.bandwidths.push_back(colon == std::string::npos ? -1 : std::stod(word.substr(colon + 1)));
  }
  return dimensions;
}

int run(char** words, const Dimensions& dimensions) {
  congestree::EventLoop loop(words[1], words[2], dimensions.bandwidths);
  const int ranks = std::accumulate(dimensions.sizes.begin(), dimensions.sizes.end(), 1, std::multiplies<int>());
  if (ranks < 1 || ranks > loop.hosts()) {
    throw std::runtime_error(std::to_string(ranks) + " ranks do not fit on " + std::to_string(loop.hosts()) +
                             " hosts: give other dimensions");
  }
  Analytical::AnalyticalRemoteMemory memory(words[5]);
  std::vector<std::unique_ptr<congestree::CongestreeNetwork>> networks;
  std::vector<AstraSim::Sys*> systems;  // they last as long as the program
  const std::vector<int> queues(dimensions.sizes.size(), 1);
  for (int rank = 0; rank < ranks; ++rank) {
    networks.push_back(std::make_unique<congestree::CongestreeNetwork>(rank, loop));
    systems.push_back(new AstraSim::Sys(rank, words[3], words[6], words[4], &memory, networks.back().get(),
                                        dimensions.sizes, queues, 1, 1, false));
  }
  for (AstraSim::Sys* system : systems) system->workload->fire();
  if (!loop.run(ranks)) throw std::runtime_error("some ranks did not finish: is measure.duration long enough?");
  std::printf("all ranks have finished at %llu ns\n", static_cast<unsigned long long>(loop.now_ns()));
  const auto [trajectory, results] = loop.close();
  std::printf("fingerprints %016llx %016llx\n", static_cast<unsigned long long>(trajectory),
              static_cast<unsigned long long>(results));
  return 0;
}

}  // namespace

int main(int count, char** words) {
  if (count < 8) {
    std::fprintf(stderr, "usage: AstraSim_Congestree SCENARIO ENTRY WORKLOAD SYSTEM MEMORY GROUPS DIMENSION[:GB/s]...\n");
    return 2;
  }
  AstraSim::LoggerFactory::init("empty");
  int answer = 1;
  try {
    answer = run(words, read(words + 7, count - 7));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
  }
  AstraSim::LoggerFactory::shutdown();
  return answer;
}

// Remote memory by formula, declared for building without astra-sim's tree.
#pragma once

#include <string>

#include "astra-sim/common/AstraRemoteMemoryAPI.hh"

namespace Analytical {

class AnalyticalRemoteMemory : public AstraSim::AstraRemoteMemoryAPI {
 public:
  explicit AnalyticalRemoteMemory(std::string configuration);
};

}  // namespace Analytical

// A rank, declared for building without astra-sim's tree.
#pragma once

#include <string>
#include <vector>

#include "astra-sim/common/AstraNetworkAPI.hh"
#include "astra-sim/common/AstraRemoteMemoryAPI.hh"
#include "astra-sim/workload/Workload.hh"

namespace AstraSim {

class Sys {
 public:
  Sys(int id, std::string workload_configuration, std::string comm_group_configuration, std::string system_configuration,
      AstraRemoteMemoryAPI* remote_mem, AstraNetworkAPI* comm_NI, std::vector<int> physical_dims,
      std::vector<int> queues_per_dim, double injection_scale, double comm_scale, bool rendezvous_enabled);

  Workload* workload;
};

}  // namespace AstraSim

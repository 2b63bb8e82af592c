// The work of a rank, declared for building without astra-sim's tree.
#pragma once

namespace AstraSim {

class Workload {
 public:
  void fire();
};

}  // namespace AstraSim

// What stands for remote memory, declared for building without astra-sim's tree.
#pragma once

namespace AstraSim {

class AstraRemoteMemoryAPI {
 public:
  virtual ~AstraRemoteMemoryAPI() = default;
};

}  // namespace AstraSim

// Its log, declared for building without astra-sim's tree.
#pragma once

#include <string>

namespace AstraSim {

class LoggerFactory {
 public:
  static void init(const std::string& configuration);
  static void shutdown();
};

}  // namespace AstraSim

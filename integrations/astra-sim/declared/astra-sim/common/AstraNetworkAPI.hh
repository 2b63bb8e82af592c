// The interface that astra-sim asks of a network, declared for building without its tree.
#pragma once

#include <cstdint>

namespace AstraSim {

enum time_type_e { SE = 0, MS, US, NS, FS };

struct timespec_t {
  time_type_e time_res;
  long double time_val;
};

struct sim_request;  // never looked into

class AstraNetworkAPI {
 public:
  enum class BackendType { NotSpecified = 0, Garnet, NS3, Analytical };

  explicit AstraNetworkAPI(int rank) : rank(rank) {}
  virtual ~AstraNetworkAPI() = default;

  virtual int sim_send(void* buffer, uint64_t count, int type, int dst, int tag, sim_request* request,
                       void (*handler)(void*), void* argument) = 0;
  virtual int sim_recv(void* buffer, uint64_t count, int type, int src, int tag, sim_request* request,
                       void (*handler)(void*), void* argument) = 0;
  virtual void sim_schedule(timespec_t delta, void (*function)(void*), void* argument) = 0;
  virtual timespec_t sim_get_time() = 0;
  virtual BackendType get_backend_type() { return BackendType::NotSpecified; }
  virtual double get_BW_at_dimension(int) { return -1; }
  virtual int sim_comm_get_rank() { return rank; }
  virtual int sim_comm_set_rank(int other) { return rank = other; }
  virtual void sim_notify_finished() {}

  int rank;
};

}  // namespace AstraSim

// Nodes of a Chakra execution trace (protobuf, not compressed): just enough of it to replay them.
#pragma once

#include <cstdint>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

namespace chakra {

enum Kind { kMetadata = 1, kLoad = 2, kStore = 3, kComp = 4, kSend = 5, kReceive = 6 };

struct Node {
  uint64_t id = 0, kind = 0, duration_us = 0, bytes = 0;
  int64_t source = 0, destination = 0, tag = 0;
  std::vector<uint64_t> after;
};

// Varints, and fields that are varints or have a length.
class Reader {
 public:
  Reader(const uint8_t* begin, const uint8_t* end) : at_(begin), end_(end) {}
  bool done() const { return at_ >= end_; }

  uint64_t varint() {
    uint64_t value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      if (done()) throw std::runtime_error("the trace is cut");
      const uint8_t byte = *at_++;
      value |= static_cast<uint64_t>(byte & 0x7f) << shift;
      if (!(byte & 0x80)) return value;
    }
    throw std::runtime_error("this is no trace");
  }

  Reader part() {
    const uint64_t length = varint();
    skip_bytes(length);
    return Reader(at_ - length, at_);
  }

  void skip(uint64_t wire) {
    if (wire == 0) {
      varint();
    } else if (wire == 2) {
      part();
    } else if (wire == 1 || wire == 5) {
      skip_bytes(wire == 1 ? 8 : 4);
    } else {
      throw std::runtime_error("this is no trace");
    }
  }

  std::string text() const { return std::string(at_, end_); }

 private:
  void skip_bytes(uint64_t count) {
    if (count > static_cast<uint64_t>(end_ - at_)) throw std::runtime_error("the trace is cut");
    at_ += count;
  }

  const uint8_t *at_, *end_;
};

inline void read_attribute(Reader reader, Node& node) {
  std::string name;
  int64_t value = 0;
  while (!reader.done()) {
    const uint64_t tag = reader.varint(), field = tag >> 3;
    if (field == 1 && (tag & 7) == 2) {
      name = reader.part().text();
    } else if ((tag & 7) == 0) {
      const uint64_t raw = reader.varint();
      const bool zigzag = field == 15 || field == 17;
      value = zigzag ? static_cast<int64_t>(raw >> 1) ^ -static_cast<int64_t>(raw & 1) : static_cast<int64_t>(raw);
    } else {
      reader.skip(tag & 7);
    }
  }
  if (name == "comm_size") node.bytes = static_cast<uint64_t>(value);
  if (name == "comm_src") node.source = value;
  if (name == "comm_dst") node.destination = value;
  if (name == "comm_tag") node.tag = value;
}

inline Node read_node(Reader reader) {
  Node node;
  while (!reader.done()) {
    const uint64_t tag = reader.varint(), field = tag >> 3, wire = tag & 7;
    if (wire == 0 && (field == 1 || field == 3 || field == 7)) {
      (field == 1 ? node.id : field == 3 ? node.kind : node.duration_us) = reader.varint();
    } else if ((field == 4 || field == 5) && wire == 0) {
      node.after.push_back(reader.varint());
    } else if ((field == 4 || field == 5) && wire == 2) {
      for (Reader packed = reader.part(); !packed.done();) node.after.push_back(packed.varint());
    } else if (field == 10 && wire == 2) {
      read_attribute(reader.part(), node);
    } else {
      reader.skip(wire);
    }
  }
  return node;
}

inline std::vector<Node> read(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("there is no file " + path + ": name a trace");
  const std::vector<char> bytes((std::istreambuf_iterator<char>(file)), {});
  const auto* begin = reinterpret_cast<const uint8_t*>(bytes.data());
  Reader reader(begin, begin + bytes.size());
  std::vector<Node> nodes;
  try {
    reader.part();  // what the trace says of itself
    while (!reader.done()) nodes.push_back(read_node(reader.part()));
  } catch (const std::runtime_error& error) {
    throw std::runtime_error(path + ", after " + std::to_string(nodes.size()) + " nodes: " + error.what());
  }
  return nodes;
}

}  // namespace chakra

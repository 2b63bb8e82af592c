// Nodes of a Chakra execution trace (protobuf, not compressed): just enough of it to replay them.
#pragma once

#include <charconv>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

namespace chakra {

enum Kind { kMetadata = 1, kLoad = 2, kStore = 3, kComp = 4, kSend = 5, kReceive = 6 };

struct Node {
  uint64_t id = 0, kind = 0, duration_us = 0;
  int64_t bytes = 0, source = 0, destination = 0, tag = 0, by_cpu = 0;
  std::vector<uint64_t> after;
};

// Varints, numbers of four or eight bytes, and fields that have a length.
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

  // Four or eight bytes, the least first.
  uint64_t fixed(uint64_t count) {
    skip_bytes(count);
    uint64_t value = 0;
    for (uint64_t i = 1; i <= count; ++i) value = value << 8 | at_[-static_cast<int64_t>(i)];
    return value;
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
      fixed(wire == 1 ? 8 : 4);
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

// The kinds of whole numbers that an attribute can be, by their field; a text of digits is one, too.
enum Value {
  kInt32 = 7, kInt64 = 9, kUint32 = 11, kUint64 = 13, kSint32 = 15, kSint64 = 17,
  kFixed32 = 19, kFixed64 = 21, kSfixed32 = 23, kSfixed64 = 25, kBool = 27, kString = 29
};

// Whether a field holds a whole number; if so, the number.
inline bool read_number(uint64_t field, uint64_t wire, Reader& reader, int64_t& value) {
  if (wire == 0 && (field == kSint32 || field == kSint64)) {
    const uint64_t raw = reader.varint();
    value = static_cast<int64_t>(raw >> 1) ^ -static_cast<int64_t>(raw & 1);
  } else if (wire == 0 && (field <= kUint64 || field == kBool)) {
    value = static_cast<int64_t>(reader.varint());
  } else if (wire == 5 && (field == kFixed32 || field == kSfixed32)) {
    const auto raw = static_cast<uint32_t>(reader.fixed(4));
    value = field == kFixed32 ? static_cast<int64_t>(raw) : static_cast<int32_t>(raw);
  } else if (wire == 1 && (field == kFixed64 || field == kSfixed64)) {
    value = static_cast<int64_t>(reader.fixed(8));
  } else if (wire == 2 && field == kString) {
    const std::string digits = reader.part().text();
    const auto end = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    return end.ec == std::errc() && end.ptr == digits.data() + digits.size();
  } else {
    reader.skip(wire);
    return false;
  }
  return true;
}

inline void read_attribute(Reader reader, Node& node) {
  std::string name;
  int64_t value = 0;
  bool is_number = true;
  while (!reader.done()) {
    const uint64_t tag = reader.varint(), field = tag >> 3, wire = tag & 7;
    if (field == 1 && wire == 2) {
      name = reader.part().text();
    } else if (field > 2) {
      is_number = read_number(field, wire, reader, value);
    } else {
      reader.skip(wire);
    }
  }
  if (name == "is_cpu_op" && is_number) node.by_cpu = value;
  int64_t* const place = name == "comm_size"  ? &node.bytes
                         : name == "comm_src" ? &node.source
                         : name == "comm_dst" ? &node.destination
                         : name == "comm_tag" ? &node.tag
                                              : nullptr;
  if (place == nullptr) return;
  if (!is_number) throw std::runtime_error(name + " is no whole number");
  *place = value;
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

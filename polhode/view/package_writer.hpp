// Arrays behind a header: collects numbers, and remembers where each array begins.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include <nlohmann/json.hpp>

namespace polhode::view {

class PackageWriter {
 public:
  using Json = nlohmann::ordered_json;

  /// Appends an array and returns its place, {"type", "offset", "count"}, for the header.
  Json f32(std::span<const float> numbers) { return add("f32", numbers.data(), sizeof(float), numbers.size()); }
  Json f64(std::span<const double> numbers) { return add("f64", numbers.data(), sizeof(double), numbers.size()); }

  /// "PLHV", version, length of the header, 0 (each 32 bits, little endian), the header, zeros up to a multiple of 8,
  /// the arrays.
  std::string finish(const Json& header) const {
    const std::string text = header.dump(-1, ' ', false, Json::error_handler_t::replace);
    std::string out = "PLHV";
    for (const std::uint32_t word : {std::uint32_t{1}, static_cast<std::uint32_t>(text.size()), std::uint32_t{0}})
      out.append(reinterpret_cast<const char*>(&word), 4);
    out += text;
    out.resize((out.size() + 7) / 8 * 8);
    return out + data_;
  }

 private:
  Json add(const char* type, const void* numbers, std::size_t size, std::size_t count) {
    data_.resize((data_.size() + 7) / 8 * 8);
    const std::size_t offset = data_.size();
    data_.append(static_cast<const char*>(numbers), size * count);
    return {{"type", type}, {"offset", offset}, {"count", count}};
  }

  std::string data_;
};

}  // namespace polhode::view

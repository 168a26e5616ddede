// A fingerprint of a text: two texts with the same one are the same text.
#pragma once

#include <string>
#include <string_view>

namespace polhode {

/// SHA-256 (FIPS 180-4), 64 hexadecimal digits.
std::string sha256(std::string_view text);

}  // namespace polhode

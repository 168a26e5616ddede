// Symbols of FIPS 180-4, section 6.2.
#include <polhode/io/sha256.hpp>

#include <array>
#include <bit>
#include <cstdint>

#include <fmt/format.h>

namespace polhode {
namespace {

using Word32 = std::uint32_t;

/// The first 32 bits of the fractional parts of the cube roots of the first 64 primes.
constexpr std::array<Word32, 64> sha256_constants{
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

void add_block(std::array<Word32, 8>& H, const unsigned char* block) {
  std::array<Word32, 64> W;
  for (int t = 0; t < 16; ++t)
    W[t] =
        Word32{block[4 * t]} << 24 | Word32{block[4 * t + 1]} << 16 | Word32{block[4 * t + 2]} << 8 | block[4 * t + 3];
  for (int t = 16; t < 64; ++t) {
    const Word32 s0 = std::rotr(W[t - 15], 7) ^ std::rotr(W[t - 15], 18) ^ W[t - 15] >> 3,
                 s1 = std::rotr(W[t - 2], 17) ^ std::rotr(W[t - 2], 19) ^ W[t - 2] >> 10;
    W[t] = s1 + W[t - 7] + s0 + W[t - 16];
  }
  auto [a, b, c, d, e, f, g, h] = H;
  for (int t = 0; t < 64; ++t) {
    const Word32 S1 = std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25), ch = (e & f) ^ (~e & g),
                 T1 = h + S1 + ch + sha256_constants[t] + W[t],
                 S0 = std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22), maj = (a & b) ^ (a & c) ^ (b & c);
    h = g, g = f, f = e, e = d + T1, d = c, c = b, b = a, a = T1 + S0 + maj;
  }
  const std::array<Word32, 8> now{a, b, c, d, e, f, g, h};
  for (int k = 0; k < 8; ++k) H[k] += now[k];
}

}  // namespace

std::string sha256(std::string_view text) {
  std::array<Word32, 8> H{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                          0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  const auto* bytes = reinterpret_cast<const unsigned char*>(text.data());
  std::size_t done = 0;
  for (; done + 64 <= text.size(); done += 64) add_block(H, bytes + done);
  // the rest, a one, zeros, and the length in bits: one block or two
  std::string last(text.substr(done));
  last += '\x80';
  last.resize(last.size() <= 56 ? 56 : 120);
  for (int k = 7; k >= 0; --k) last += static_cast<char>(std::uint64_t{text.size()} * 8 >> 8 * k);
  for (std::size_t k = 0; k < last.size(); k += 64)
    add_block(H, reinterpret_cast<const unsigned char*>(last.data()) + k);
  std::string out;
  for (const Word32 w : H) out += fmt::format("{:08x}", w);
  return out;
}

}  // namespace polhode

#include <polhode/io/provenance.hpp>

#include <ctime>

#if defined(__GLIBC__)
#include <gnu/libc-version.h>
#endif

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <polhode/io/json_document.hpp>
#include <polhode/io/sha256.hpp>
#include <polhode/model/error.hpp>
#include <polhode/version.hpp>

namespace polhode {
namespace {

std::string compiler() {
#if defined(__clang__)
  return fmt::format("clang {}.{}.{}", __clang_major__, __clang_minor__, __clang_patchlevel__);
#else
  return fmt::format("gcc {}.{}.{}", __GNUC__, __GNUC_MINOR__, __GNUC_PATCHLEVEL__);
#endif
}

constexpr const char* instructions() {
#if defined(__AVX512F__)
  return "AVX-512";
#elif defined(__AVX2__) && defined(__FMA__)
  return "AVX2, FMA";
#elif defined(__AVX__)
  return "AVX";
#elif defined(__x86_64__)
  return "SSE2";
#elif defined(__aarch64__)
  return "NEON";
#else
  return "baseline";
#endif
}

std::string c_library() {
#if defined(__GLIBC__)
  return fmt::format("glibc {}", gnu_get_libc_version());
#else
  return "unknown";
#endif
}

}  // namespace

std::string make_provenance(std::string_view model_json) {
  return nlohmann::ordered_json{{"polhode", version},
                                {"commit", source_commit()},
                                {"compiler", compiler()},
                                {"instructions", instructions()},
                                {"library", c_library()},
                                {"date", fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)))},
                                {"model_sha256", sha256(model_json)}}
      .dump(2);
}

std::string provenance_text(const std::string& provenance_json, const std::string& written_by) {
  nlohmann::json all;
  try {
    if (!provenance_json.empty()) all = parse_json(provenance_json, "provenance");
  } catch (const ModelError&) {  // what the file says of itself decides nothing
  }
  const auto part = [&](const char* key, const char* before) -> std::string {
    if (!all.is_object() || !all.contains(key) || !all[key].is_string()) return "";
    const std::string value = all[key].get<std::string>();
    return value.empty() ? "" : before + value;
  };
  return "polhode " + (written_by.empty() ? "of an unknown version" : written_by) + part("commit", ", commit ") +
         part("compiler", ", ") + part("instructions", ", ") + part("library", ", ") + part("date", ", ");
}

}  // namespace polhode

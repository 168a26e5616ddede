// The text of a ModelError: its findings, a line each.
#include <polhode/model/error.hpp>

#include <fmt/format.h>

namespace polhode {

ModelError::ModelError(std::vector<std::string> findings)
    : std::runtime_error(fmt::format("{}", fmt::join(findings, "\n"))), findings_(std::move(findings)) {}

}  // namespace polhode

// From the ledger of a run to its certificate: names beside the figures, errors relative to their scales.
#pragma once

#include <polhode/simulate/certificate.hpp>
#include <polhode/simulate/ledger.hpp>
#include <polhode/simulate/sampler.hpp>

namespace polhode {

/// What work that a program did between steps goes by in the certificate.
inline constexpr const char* applied_work = "(applied)";

/// The figures; status, reason and seconds are left to whoever knows them.
Certificate certify(const Model& model, const Stepper& stepper, const Ledger& ledger, const Sampler& sampler);

}  // namespace polhode

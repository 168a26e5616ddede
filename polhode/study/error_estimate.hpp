// How far the end of a run is from the motion, estimated by a second run.
#pragma once

#include <functional>
#include <optional>

#include <polhode/model/model.hpp>
#include <polhode/simulate/certificate.hpp>

namespace polhode {

/// The difference of the end of a run to that of one with half the step, times 4/3: the error of a method of order 2,
/// and more than that of one of higher order. Of all bodies the largest. Both runs are taken side by side, step by
/// step: so angles are followed over many turns, and the time at which a body of one is a radian from the same body of
/// the other is known. `progress` is called after every step with the fraction done and the time reached. Nothing if the
/// runs do not come to their end.
std::optional<Certificate::Trajectory> estimate_error(
    const Model& model, const Certificate& certificate,
    const std::function<bool(double fraction, double time)>& progress = {});

}  // namespace polhode

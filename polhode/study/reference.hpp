// What is known of a motion from elsewhere, and how far a run is from it.
#pragma once

#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include <polhode/study/trajectory.hpp>

namespace polhode {

/// What is known of one body at one time: where a point of it is, how it moves and how the body is turned.
struct KnownMotion {
  std::string body;
  Vec3 point = Vec3::Zero();                                 ///< in the body's frame [m]
  std::optional<Vec3> position, velocity, angular_velocity;  ///< of the point in space; in the body
  std::optional<double> height;                              ///< the z of its position alone [m]
  std::optional<Quaternion> orientation;
};

struct ReferenceMoment {
  double time = 0;
  std::vector<KnownMotion> bodies;
  std::vector<double> reactions;  ///< as in Moment; empty: not known
};

/// A reference: a table with a source, or a motion that was computed. `error`: what is known of its own error.
struct Reference {
  std::string source;
  std::string error;
  double position_error = 0;  ///< [m or rad], the largest of its own errors
  std::vector<ReferenceMoment> moments;
};

/// Differences between a run and a reference; NaN where the reference tells nothing.
struct Errors {
  double position = nan, angle = nan;             ///< [m, rad]
  double velocity = nan, angular_velocity = nan;  ///< [m/s, rad/s]
  double force = nan, moment = nan;               ///< of the joints' reactions [N, N m]
  static constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  void include(const Errors& other);  ///< the larger of each
};

Errors errors_at(const Moment& moment, const ReferenceMoment& reference, const std::vector<std::string>& bodies);

/// The largest errors over the times that both have; `at_end`: at the last of them alone.
Errors largest_errors(const Trajectory& run, const Reference& reference);
Errors errors_at_end(const Trajectory& run, const Reference& reference);

/// Computes the motion at the given times with ExactMotion, twice: the difference of the two is given as its error.
/// `progress` is called with the fraction done and the time reached; if it returns false, std::runtime_error says so.
using ReferenceProgress = std::function<bool(double fraction, double time)>;
Reference compute_reference(const Model& model, const std::vector<double>& times, double tolerance = 1e-12,
                            const ReferenceProgress& progress = {});

/// A table that tells of positions only, completed by computed orientations, velocities and reactions. How far the
/// computed positions are from the table is added to its text; if they are farther than 1e-6, it stays as it is.
Reference completed(Reference table, const Model& model, const ReferenceProgress& progress = {});

}  // namespace polhode

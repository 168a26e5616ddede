// The computed reference against motions that are known from elsewhere: closed forms and quadruple precision.
#include <gtest/gtest.h>

#include <polhode/study/comparison.hpp>
#include <polhode/study/reference_file.hpp>

#include "simulate/runs.hpp"

namespace polhode::exact_motion_test {
namespace {

/// The largest difference of the computed motion from the known one, relative to lengths and rates of order 1.
Errors difference_to_known(const std::string& name, double end_time) {
  Model model = model_file(name);
  model.simulation.end_time = end_time;
  const Reference known = usable(read_reference(POLHODE_SOURCE_DIR "/models/" + model.reference), {1e-3}, end_time);
  std::vector<double> times;
  for (const ReferenceMoment& m : known.moments) times.push_back(m.time);
  const Reference computed = compute_reference(model, times);
  Trajectory as_run;
  for (const Body& body : model.bodies) as_run.bodies.push_back(body.name);
  for (const ReferenceMoment& m : computed.moments) {
    as_run.moments.push_back({m.time, {}, m.reactions});
    for (const KnownMotion& b : m.bodies)
      as_run.moments.back().bodies.push_back({*b.position, *b.velocity, *b.angular_velocity, *b.orientation});
  }
  return largest_errors(as_run, known);
}

struct Case {
  std::string model;
  double end_time,
      position;  // what is left of 1e-12 a step after the motion has spread it, measured with a margin of 5
};

class ExactMotionOf : public testing::TestWithParam<Case> {};

TEST_P(ExactMotionOf, AgreesWithWhatIsKnown) {
  const Errors e = difference_to_known(GetParam().model, GetParam().end_time);
  if (!std::isnan(e.position)) {
    EXPECT_LT(e.position, GetParam().position);
  }
  if (!std::isnan(e.angle)) {
    EXPECT_LT(e.angle, GetParam().position);
  }
  EXPECT_FALSE(std::isnan(e.position) && std::isnan(e.angle));
}

INSTANTIATE_TEST_SUITE_P(Models, ExactMotionOf,
                         testing::Values(Case{"heavy_top", 2, 1e-11}, Case{"pendulum", 5, 5e-11},
                                         Case{"bricard", 2, 1e-11}, Case{"four_bar_2", 1, 2e-11},
                                         Case{"car_axis", 1, 1e-12}, Case{"free_rigid_body", 10, 1e-10},
                                         Case{"driven_revolute", 3, 1e-12}, Case{"gear_train", 2, 1e-11},
                                         Case{"screw", 1, 1e-11}, Case{"kovalevskaya_top", 1, 1e-11},
                                         Case{"chain_spherical", 1, 1e-10}, Case{"bennett", 1, 1e-11},
                                         Case{"slider_crank", 1, 1e-11}),
                         [](const auto& one) { return one.param.model; });

TEST(ExactMotion, CrossesALoadThatJumps) {
  // a mass of 1 kg pushed by 1 N until t = 0.3 s: x(1) = 0.3^2/2 + 0.3 * 0.7
  const Model model = model_text(R"("bodies": [{"name": "mass", "type": "particle", "mass": 1}],
    "forces": [{"type": "force", "body": "mass", "vector": [1, 0, 0], "function":
      {"type": "piecewise", "times": [0, 0.3], "functions": [{"type": "constant", "value": 1}, {"type": "constant", "value": 0}]}}])");
  const Reference r = compute_reference(model, {1.0});
  EXPECT_NEAR(r.moments[0].bodies[0].position->x(), 0.045 + 0.21, 1e-10);
}

TEST(ExactMotion, KnowsTheReactions) {
  // heavy top: lambda = m (x'' - g), to 10 digits from an extrapolated solution
  const Reference r = compute_reference(model_file("heavy_top"), {0.1, 1.0});
  const auto force = [&](int k) {
    return Eigen::Map<const Vec3>(r.moments[static_cast<std::size_t>(k)].reactions.data());
  };
  EXPECT_LT((force(0) - Vec3(-361.0560047871, -295.3931730112, -212.2671718551)).norm(), 2e-9);
  EXPECT_LT((force(1) - Vec3(-517.6007394769, -396.8431014896, 404.5749251629)).norm(), 2e-8);
}

}  // namespace
}  // namespace polhode::exact_motion_test

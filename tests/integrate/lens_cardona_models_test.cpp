// Lens and Cardona's schemes on every kind of model: the identity of energy, the order of the motion, momentum, and
// what kappa and gamma are good for. Energy alone cannot tell a torque of first order from one of second: the order is
// that of places.
#include <filesystem>

#include <polhode/elements/forces.hpp>

#include "integrate/decaying_models.hpp"
#include "integrate/lens_models.hpp"

namespace polhode::lens_cardona_models_test {
namespace {

const std::vector<IntegratorChoice>& all_schemes() {
  static const std::vector<IntegratorChoice> schemes{lens("preserving", 0),
                                                     lens("decaying", 1),
                                                     lens("decaying-alpha", 0.3),
                                                     lens("decaying-alpha", 0.5, "one", "fixed-pole"),
                                                     lens("alpha-kappa", 1),
                                                     lens("alpha-kappa", 0),
                                                     lens("alpha-kappa", 0.5, "exact"),
                                                     lens("alpha-kappa", 0.5, "gamma"),
                                                     lens("alpha-kappa", 1, "one", "fixed-pole"),
                                                     lens("alpha-kappa", 0.5, "gamma", "fixed-pole"),
                                                     lens("alpha-kappa", 0.5, "exact", "fixed-pole"),
                                                     lens("decaying-alpha", 0.5, "one", "half-rotation"),
                                                     lens("alpha-kappa", 1, "one", "half-rotation"),
                                                     lens("alpha-kappa", 0.5, "exact", "half-rotation")};
  return schemes;
}

bool stabilised(const IntegratorChoice& choice) {
  return std::get<std::string>(choice.options.at("scheme")) == "alpha-kappa";
}

/// Energy never grows with these, in a step that found its kappa or gamma.
bool decays(const IntegratorChoice& choice) {
  return !stabilised(choice) || std::get<std::string>(choice.options.at("kappa")) != "one";
}

void expect_identity(const Certificate& c, const IntegratorChoice& choice) {
  EXPECT_LE(c.energy.identity_error, 1e-10);
  EXPECT_LE(c.constraints.position, 1e-11);
  if (stabilised(choice)) {
    EXPECT_LE(c.constraints.velocity, 1e-9);
  }
  if (decays(choice) && c.newton.fallbacks == 0) {
    EXPECT_EQ(c.energy.gaining_steps, 0) << c.energy.largest_gain;
  }
}

TEST(SlowLensCardona, KeepsItsIdentityOfEnergyOnEveryModel) {
  int count = 0;
  for (const auto& file : std::filesystem::directory_iterator(POLHODE_SOURCE_DIR "/models")) {
    if (file.path().extension() != ".json") continue;
    const Model model = model_file(file.path().stem().string());
    const double h = model.simulation.step, end = std::min(20 * h, model.simulation.end_time);
    for (const IntegratorChoice& choice : all_schemes()) {
      SCOPED_TRACE(file.path().stem().string() + " " + lens_text(choice));
      const Certificate c = run(model, choice, h, end);
      EXPECT_TRUE(c.complete());
      expect_identity(c, choice);
    }
    ++count;
  }
  EXPECT_GE(count, 29);
}

struct Kind {
  const char* name;
  RandomModelOptions options;
  friend std::ostream& operator<<(std::ostream& out, const Kind& kind) { return out << kind.name; }
};
class LensOfRandomMotion : public testing::TestWithParam<Kind> {};

TEST_P(LensOfRandomMotion, KeepsItsIdentityOfEnergy) {
  constexpr double h = 0.005;
  int completed = 0, runs = 0;
  for (unsigned seed = 1; seed <= 6; ++seed) {
    const Model model = random_model(seed, GetParam().options);
    for (const IntegratorChoice& choice : all_schemes()) {
      SCOPED_TRACE(fmt::format("seed {} {}", seed, lens_text(choice)));
      const Certificate c = run(model, choice, h, 30 * h);
      ++runs;
      if (!c.complete()) continue;  // a drive may ask what the mechanism cannot do
      ++completed;
      expect_identity(c, choice);
      EXPECT_LE(c.momentum.linear_error, 1e-10);
    }
  }
  EXPECT_GE(completed, runs * 3 / 4);
}

INSTANTIATE_TEST_SUITE_P(
    Slow, LensOfRandomMotion,
    testing::Values(Kind{"everything", {.bodies = 6}},
                    Kind{"floating", {.bodies = 5, .free_floating = true, .drives = false, .loads = false}},
                    Kind{"floating_with_motors", {.bodies = 5, .free_floating = true}},
                    Kind{"loops_with_springs",
                         {.bodies = 5, .loops = 2, .dampers = false, .drives = false, .loads = false}},
                    Kind{"rigid_bodies", {.bodies = 4, .loops = 1, .lesser_nodes = false}}),
    [](const auto& test) { return test.param.name; });

/// The largest error of a body's place, at the end of runs with steps each half of the one before, against a run of
/// order 4.
std::vector<double> errors(const Model& model, const IntegratorChoice& choice, double h, double end) {
  const Certificate exact = run(model, energy_momentum(4), h / 16, end);
  std::vector<double> out;
  for (int k = 0; k < 3; ++k, h /= 2) {
    const Certificate c = run(model, choice, h, end);
    EXPECT_TRUE(c.complete());
    out.push_back(0);
    for (std::size_t i = 0; i < c.bodies.size(); ++i)
      out.back() = std::max(out.back(), (c.bodies[i].second.position - exact.bodies[i].second.position).norm());
  }
  return out;
}

struct Case {
  const char* name;
  Model model;
  double h, end;
  friend std::ostream& operator<<(std::ostream& out, const Case& c) { return out << c.name; }
};
class OrderOfLensCardona : public testing::TestWithParam<Case> {};

TEST_P(OrderOfLensCardona, IsTwoForAlphaKappa) {
  const auto& [name, model, h, end] = GetParam();
  for (const IntegratorChoice& choice :
       {lens("alpha-kappa", 1), lens("alpha-kappa", 0.2), lens("alpha-kappa", 1, "one", "fixed-pole"),
        lens("alpha-kappa", 1, "one", "half-rotation")}) {
    const auto e = errors(model, choice, h, end);
    EXPECT_NEAR(std::log2(e[1] / e[2]), 2, 0.15) << lens_text(choice) << testing::PrintToString(e);
  }
}

INSTANTIATE_TEST_SUITE_P(Slow, OrderOfLensCardona,
                         testing::Values(Case{"top", model_file("heavy_top"), 1e-3, 0.1},
                                         Case{"chain", mixed_chain(), 0.02, 0.5},
                                         Case{"four_bar", lens_four_bar(), 0.01, 0.5},
                                         Case{"prismatic", lens_prismatic(), 0.01, 0.5},
                                         Case{"stiff_springs", spring_pair(1e4), 5e-4, 0.05}),
                         [](const auto& test) { return test.param.name; });

TEST(LensCardona, IsOfFirstOrderWithJointsInTheDecayingScheme) {
  const auto e = errors(mixed_chain(), lens("decaying", 1), 0.01, 0.5);
  EXPECT_NEAR(std::log2(e[1] / e[2]), 1, 0.1) << testing::PrintToString(e);
}

// A lucky exception: about a fixed pole a spherical joint to the ground is a subgroup, and its rates hold by
// themselves.
TEST(LensCardona, DoesNotLockAboutAFixedPole) {
  for (const double alpha : {1.0, 0.0}) {
    const Certificate c = run(model_file("heavy_top"), lens("decaying-alpha", alpha, "one", "fixed-pole"), 1e-3, 0.1);
    EXPECT_LE(c.constraints.velocity, 1e-10);
    const auto e = errors(model_file("heavy_top"), lens("decaying-alpha", alpha, "one", "fixed-pole"), 1e-3, 0.1);
    EXPECT_NEAR(std::log2(e[1] / e[2]), 2, 0.15);
  }
}

Model free_chain() {
  Model model = mixed_chain();
  model.joints.erase(model.joints.begin());
  model.gravity.setZero();
  model.bodies[0].velocity = Vec3(0.3, -0.2, 0.1);
  model.bodies[0].angular_velocity = Vec3(1, -0.5, 0.7);
  return model;
}

TEST(LensCardona, KeepsAngularMomentumAboutAFixedPole) {
  for (const IntegratorChoice& choice :
       {lens("alpha-kappa", 1, "one", "fixed-pole"), lens("alpha-kappa", 1, "gamma", "fixed-pole"),
        lens("decaying", 1, "one", "fixed-pole")}) {
    const Certificate c = run(free_chain(), choice, 0.01, 1);
    EXPECT_EQ(c.momentum.angular_components, 3);
    EXPECT_LE(c.momentum.angular_error, 1e-12) << lens_text(choice);
    EXPECT_LE(c.momentum.linear_error, 1e-12);
  }
  // else to second order
  const double coarse = run(free_chain(), lens("alpha-kappa", 1), 0.02, 1).momentum.angular_error;
  const double fine = run(free_chain(), lens("alpha-kappa", 1), 0.01, 1).momentum.angular_error;
  EXPECT_NEAR(std::log2(coarse / fine), 2, 0.3);
}

// Free flight: kappa drops out of the identity of energy, gamma does not.
TEST(LensCardona, NeedsGammaInFreeFlight) {
  const Certificate exact = run(free_chain(), lens("alpha-kappa", 1, "exact"), 0.01, 1),
                    gamma = run(free_chain(), lens("alpha-kappa", 1, "gamma"), 0.01, 1);
  EXPECT_GE(exact.newton.fallbacks, 90);
  EXPECT_EQ(gamma.newton.fallbacks, 0);
  EXPECT_EQ(gamma.energy.gaining_steps, 0);
}

// Energy grows with kappa one, whatever the step: W is of order h^3, what alpha takes of order h^4.
TEST(LensCardona, GainsEnergyWithKappaOneHoweverSmallTheStep) {
  for (const double h : {0.04, 0.02, 0.01, 0.005}) {
    const Certificate c = run(mixed_chain(), lens("alpha-kappa", 1), h, 1);
    const double share = static_cast<double>(c.energy.gaining_steps) / static_cast<double>(c.steps);
    EXPECT_NEAR(share, 0.5, 0.1) << h;  // measured 11 of 25, 25 of 50, 52 of 100, 110 of 200
  }
}

// The z-form of the difference of stresses: a spring under compression loses energy in every step too.
TEST(LensCardona, DecaysWithACompressedSpring) {
  Model model = spring_pair(400);
  for (Force& force : model.forces) *force.edit<SpringDamper>()->length *= 2;
  const Certificate c = run(model, lens("decaying", 1), 0.02, 2);
  EXPECT_EQ(c.energy.gaining_steps, 0);
  EXPECT_LE(c.energy.identity_error, 1e-12);
  EXPECT_LT(c.energy.final, c.energy.initial);
}

// What redundant rows leave undetermined in their multipliers must not pile up: forces are those of the energy-momentum
// rule.
TEST(LensCardona, KeepsReactionsOfRedundantLoopsSmall) {
  const Model model = model_file("bricard");
  const Certificate known = run(model, plain_energy_momentum(), 0.02, 2);
  for (const auto& choice : {lens("alpha-kappa", 0.3), lens("alpha-kappa", 0.3, "exact"),
                             lens("alpha-kappa", 0.3, "one", "fixed-pole"), lens("decaying", 1)}) {
    const Certificate c = run(model, choice, 0.02, 2);
    EXPECT_LE(c.constraints.position, 1e-13) << lens_text(choice);
    EXPECT_NEAR(c.reactions.at("P0").force, known.reactions.at("P0").force, 0.05) << lens_text(choice);
  }
}

/// Rows that are redundant where a loop closes are independent, by the square of the distance, on the way there: they
/// must not count.
TEST(LensCardona, PassesThroughOverconstrainedLoops) {
  for (const char* name : {"bennett", "bricard"})
    for (const char* torque : {"transported", "fixed-pole"})
      for (const char* kappa : {"one", "exact", "gamma"}) {
        SCOPED_TRACE(fmt::format("{} {} {}", name, torque, kappa));
        const IntegratorChoice choice = lens("alpha-kappa", 0.5, kappa, torque);
        const Certificate c = run(model_file(name), choice, 0.01, 2);
        ASSERT_TRUE(c.complete());
        expect_identity(c, choice);
        EXPECT_EQ(c.newton.halved_steps, 0);
        EXPECT_LE(c.newton.iterations, 6 * 200);
        EXPECT_LE(std::abs(c.energy.final - c.energy.initial), 1e-2 * c.energy.scale);
      }
}

// Newton's matrix is exact, also in its doubled blocks and at velocity level.
TEST(LensCardona, TakesTheIterationsOfTheEnergyMomentumRule) {
  for (const Model& model : {mixed_chain(), lens_prismatic(), bushing_chain(1e6)}) {
    // three a step, which that rule takes from constant velocities, or what it takes where that is more
    const long before = std::max(3 * 50L, run(model, plain_energy_momentum(), 0.01, 0.5).newton.iterations);
    for (const auto& choice :
         {lens("decaying", 1), lens("alpha-kappa", 1), lens("alpha-kappa", 1, "one", "fixed-pole")})
      EXPECT_LE(run(model, choice, 0.01, 0.5).newton.iterations, before * 11 / 10)
          << model.name << " " << lens_text(choice);
  }
}

}  // namespace
}  // namespace polhode::lens_cardona_models_test

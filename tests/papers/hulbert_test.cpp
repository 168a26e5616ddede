// The numbers of the page on Hulbert: digits of independent trial implementations, and what long runs do.
#include <gtest/gtest.h>

#include <polhode/papers/bruls_cardona.hpp>
#include <polhode/papers/hulbert.hpp>

namespace polhode::papers::hulbert::hulbert_test {
namespace {

// DOP853 at 1e-13, of an independent program. The tumbling body spreads rounding: 1e-16 at 2 s is 1e-10 at 5 s.
TEST(Hulbert, ExactMotionsAgreeWithAnotherProgram) {
  EXPECT_LT((exact(tumbling_body(), 5).Omega - Vec3(-7.995920975754, -0.016995383763, -0.206662600978)).norm(), 3e-10);
  EXPECT_LT((exact(fast_top(), 1).q * Vec3::UnitZ() - Vec3(0.127091429919, -0.294409779767, 0.947190925853)).norm(),
            2e-12);
  EXPECT_LT((exact(fast_top(), 10).q * Vec3::UnitZ() - Vec3(-0.274864608390, 0.154741521011, 0.948949160245)).norm(),
            1e-11);
  EXPECT_LT((exact(fast_top(), 10).Omega - Vec3(-0.165051123652, 0.154456329184, 50)).norm(), 1e-10);
  EXPECT_LT((exact_nodes(four_links(), 1).back().x - Vec3(-0.051866915867, -0.556900505366, -3.305721204388)).norm(),
            1e-11);
}

// Angular velocity and kinetic energy, 12 digits given; rounding spread by the motion as above
TEST(Hulbert, TumblingBodyHasItsDigits) {
  const auto expect = [](const char* method, const Vec3& Omega, double T) {
    for (const char* impulse :
         {"midpoint", "trapezoidal"}) {  // the torque does not depend on the configuration: one algorithm
      const Vec3 end = end_of(tumbling_body(), scheme(method, impulse), 1e-3, 5).Omega;
      EXPECT_LT((end - Omega).norm(), 3e-10) << method << ' ' << impulse;
      EXPECT_NEAR(0.5 * end.dot(Vec3(5, 10, 1).cwiseProduct(end)), T, 1e-8) << method << ' ' << impulse;
    }
  };
  expect("simo-wong", {-7.995917462148, -0.017287380446, -0.207636973925}, 159.859790977777);
  expect("predictor-corrector", {-7.995845879830, -0.023119033288, -0.219471369692}, 159.860634624559);
  expect("staggered", {-7.995920657367, -0.017028152229, -0.206700828934}, 159.859680303460);
  expect("park-chiou-downer", {-7.995920882637, -0.016990348301, -0.206652980449}, 159.859672990323);
}

// Axis and angular velocity across it, 12 digits given
TEST(Hulbert, FastTopHasItsDigits) {
  const auto expect = [](const char* method, const char* impulse, const Vec3& axis, double Omega1, double Omega2) {
    const NodeState end = end_of(fast_top(), scheme(method, impulse), 1e-3, 1);
    EXPECT_LT((end.q * Vec3::UnitZ() - axis).norm(), 2e-12) << method << ' ' << impulse;
    EXPECT_LT((end.Omega.head<2>() - Eigen::Vector2d(Omega1, Omega2)).norm(), 5e-12) << method << ' ' << impulse;
  };
  expect("simo-wong", "midpoint", {0.127102225712, -0.294401901723, 0.947191925895}, -0.134190544370, 0.217107913207);
  expect("simo-wong", "trapezoidal", {0.127102281295, -0.294401874494, 0.947191926900}, -0.134191130730,
         0.217107635414);
  expect("predictor-corrector", "midpoint", {0.127045398786, -0.294433932628, 0.947189593463}, -0.133707902040,
         0.217558452011);
  expect("predictor-corrector", "trapezoidal", {0.127045527609, -0.294433947080, 0.947189571692}, -0.133706456347,
         0.217559757935);
  expect("staggered", "midpoint", {0.127079713494, -0.294415192922, 0.947190815303}, -0.133999451228, 0.217293182240);
  expect("staggered", "trapezoidal", {0.127079768572, -0.294415168347, 0.947190815552}, -0.134000015185,
         0.217292904049);
  expect("park-chiou-downer", "", {0.127094469044, -0.294444873284, 0.947179609438}, -0.135069391344, 0.216905742416);
}

TEST(Hulbert, ErrorsFallWithTheSquareOfTheStep) {
  const Vec3 axis = exact(fast_top(), 1).q * Vec3::UnitZ();
  const auto top = [&](double h) {
    return (end_of(fast_top(), scheme("staggered"), h, 1).q * Vec3::UnitZ() - axis).norm();
  };
  EXPECT_NEAR(top(.01), 1.2871e-3, 6e-8);
  EXPECT_NEAR(top(.005), 3.2249e-4, 6e-9);
  EXPECT_NEAR(top(.0025), 8.0659e-5, 6e-10);
  const Vec3 Omega = exact(thrown_body(), 2).Omega;
  for (const Scheme& s : schemes()) {
    const double coarse = (end_of(thrown_body(), s, 1.25e-3, 2).Omega - Omega).norm(),
                 fine = (end_of(thrown_body(), s, 6.25e-4, 2).Omega - Omega).norm();
    EXPECT_NEAR(std::log2(coarse / fine), 2, 0.06) << s.label;  // measured 2.00, predictor-corrector 2.05
  }
}

// To the digits given
TEST(Hulbert, EnergyOfTheFreeBodyAfterTwoHundredSeconds) {
  const auto run = [](const char* method, double h = 1e-3) {
    return history(tumbling_body(h), scheme(method), h, 200, 2);
  };
  const History gain = run("predictor-corrector"), simo = run("simo-wong"), staggered = run("staggered"),
                park = run("park-chiou-downer");
  EXPECT_NEAR(gain.final / gain.energy, 4.40e-4, 5e-7);
  EXPECT_NEAR(simo.largest() / simo.energy, 1.6e-4, 5e-6);
  EXPECT_NEAR(staggered.largest() / staggered.energy, 1.6e-5, 5e-7);
  EXPECT_GT(staggered.lowest / staggered.energy, -2e-8);  // between turns it comes back
  EXPECT_NEAR(park.lowest / park.energy, -1.4e-4, 5e-6);
  for (const History* h : {&gain, &simo, &staggered}) EXPECT_LT(h->momentum_error / h->momentum.norm(), 1e-13);
  EXPECT_LT(staggered.chains_apart, 1e-11);
}

// For every step: the predictor-corrector method gains energy, with about the third power of it
TEST(Hulbert, PredictorCorrectorGainsEnergyForEveryStep) {
  const auto gain = [](double h) {
    const History run = history(tumbling_body(h), scheme("predictor-corrector"), h, 200, 2);
    return run.final / run.energy;
  };
  EXPECT_NEAR(gain(5e-4), 5.07e-5, 6e-8);
  EXPECT_NEAR(gain(2e-3), 4.28e-3, 6e-6);
  EXPECT_NEAR(gain(1e-2), 2.32, 6e-3);
}

struct LongRow {
  const char *method, *impulse;
  double energy;  // largest change [J]
  double digit;
};

void expect_rows(double end, const std::vector<LongRow>& rows) {
  for (const LongRow& row : rows) {
    const History run = history(fast_top(), scheme(row.method, row.impulse), 1e-3, end);
    EXPECT_NEAR(run.largest(), row.energy, row.digit) << row.method << ' ' << row.impulse << ", " << end << " s";
    if (std::string(row.method) != "park-chiou-downer")
      EXPECT_LT(run.vertical_momentum_error, 1e-11) << row.method << ' ' << row.impulse;
    else
      EXPECT_NEAR(run.vertical_momentum_error, 4e-4, 5e-5);
  }
}

TEST(Hulbert, EnergyOfTheTopInTwoHundredSeconds) {
  expect_rows(200, {{"simo-wong", "midpoint", 6.7e-4, 5e-6},
                    {"simo-wong", "trapezoidal", 4.8e-5, 5e-7},
                    {"predictor-corrector", "midpoint", 3.3e-3, 5e-5},
                    {"predictor-corrector", "trapezoidal", 5.1e-3, 5e-5},
                    {"staggered", "midpoint", 1.7e-5, 5e-7},
                    {"park-chiou-downer", "", 1.1e-4, 5e-6}});
}

// With the trapezoidal rule the chains part: exponentially at first, so that where it leads depends on rounding, but
// not how far
TEST(Hulbert, TrapezoidalImpulsesPartTheChainsOfTheStaggeredMethod) {
  const History parted = history(fast_top(), scheme("staggered", "trapezoidal"), 1e-3, 200),
                together = history(fast_top(), scheme("staggered"), 1e-3, 200);
  EXPECT_NEAR(parted.largest(), 19.5, 0.2);
  EXPECT_NEAR(parted.least_nutation, 0.2489, 5e-4);
  EXPECT_NEAR(parted.most_nutation, 0.3333, 5e-4);
  EXPECT_GT(parted.chains_apart, 1);
  EXPECT_LT(together.chains_apart, 1e-6);
  EXPECT_NEAR(together.least_nutation, 0.3, 1e-6);
  EXPECT_NEAR(together.most_nutation, 0.3267337, 5e-6);  // its own error of second order: 3.2e-6
}

TEST(SlowHulbert, EnergyOfTheTopInTwoThousandSeconds) {
  expect_rows(2000, {{"simo-wong", "midpoint", 6.1e-3, 5e-5},
                     {"simo-wong", "trapezoidal", 4.8e-5, 5e-7},
                     {"predictor-corrector", "midpoint", 3.2e-2, 5e-4},
                     {"predictor-corrector", "trapezoidal", 5.0e-2, 5e-4},
                     {"staggered", "midpoint", 1.7e-5, 5e-7}});
}

TEST(SlowHulbert, EnergyOfTheFreeBodyInTwoThousandSeconds) {
  const auto run = [](const char* method) { return history(tumbling_body(), scheme(method), 1e-3, 2000, 2); };
  const History gain = run("predictor-corrector"), simo = run("simo-wong"), staggered = run("staggered"),
                park = run("park-chiou-downer");
  EXPECT_NEAR(gain.final / gain.energy, 5.57e-3, 5e-6);
  EXPECT_NEAR(simo.largest() / simo.energy, 1.6e-4, 5e-6);
  EXPECT_NEAR(staggered.largest() / staggered.energy, 1.6e-5, 5e-7);
  EXPECT_NEAR(park.lowest / park.energy, -1.45e-3, 5e-6);
  EXPECT_NEAR(park.momentum_error / park.momentum.norm(), 2.8e-2, 5e-4);
  EXPECT_GT(park.chains_apart, 1);
}

// rattlie: 7 digits given on the top, 12 on the chain
TEST(Hulbert, RattlieHasItsDigits) {
  const auto top = [](double h) { return bruls_cardona::error(bruls_cardona::problem("7.5"), {"rattlie", {}}, h); };
  EXPECT_NEAR(top(.0025), 1.162192e-3, 6e-10);
  EXPECT_NEAR(top(.00125), 2.895965e-4, 6e-11);
  EXPECT_NEAR(top(.000625), 7.233992e-5, 6e-11);
  EXPECT_LT((chain_run(four_links(), .002, 1).last - Vec3(-0.051870801818, -0.556942723255, -3.305701841212)).norm(),
            5e-12);
  EXPECT_LT((chain_run(four_links(), .001, 1).last - Vec3(-0.051867887220, -0.556911059010, -3.305716363652)).norm(),
            5e-12);
}

TEST(Hulbert, RattlieKeepsTheMomentumOfTheFlyingLinks) {
  const ChainRun run = chain_run(flying_links(), .002, 10);
  EXPECT_NEAR(run.energy, 44.22, 1e-12);
  EXPECT_NEAR(run.energy_error, 1.05e-5, 6e-8);
  EXPECT_LT(run.momentum_error, 5e-12);                             // of 42 N m s, after 5000 steps
  EXPECT_LT(chain_run(four_links(), .002, 10).energy_error, 0.05);  // chaotic; measured 0.0196
}

}  // namespace
}  // namespace polhode::papers::hulbert::hulbert_test

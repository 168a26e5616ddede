// Lens and Cardona's schemes against the digits of an independent trial implementation, which are told with their
// set-ups in docs/methods/lens-cardona.md: Newton to round-off there, so that nine digits of ours must agree.
#include <polhode/integrate/lens_cardona.hpp>

#include <numbers>
#include <optional>

#include <gtest/gtest.h>

#include <polhode/elements/forces.hpp>
#include <polhode/model/error.hpp>

#include "integrate/decaying_models.hpp"
#include "integrate/lens_models.hpp"

namespace polhode::lens_cardona_test {
namespace {

/// A run, and what is known of its end.
struct Digits {
  IntegratorChoice choice;
  std::string body;
  Vec3 position;
  std::optional<Vec3> rate = {};      ///< angular velocity in the body, of a particle its velocity
  std::optional<double> energy = {};  ///< E - E0 [J]
  std::optional<double> kappa = {}, gamma = {};
};

void expect_digits(const Model& model, double h, double end, const std::vector<Digits>& rows) {
  for (const Digits& row : rows) {
    SCOPED_TRACE(model.name + ", " + lens_text(row.choice));
    Simulation simulation(with(model, row.choice, h, end));
    const Certificate c = simulation.run();
    ASSERT_TRUE(c.complete());
    const auto& b = body(c, row.body);
    const bool particle = b.angular_velocity.isZero() && b.orientation.vec().isZero();
    EXPECT_LE((b.position - row.position).cwiseAbs().maxCoeff(), 6e-10);
    if (row.rate) {
      EXPECT_LE(((particle ? b.velocity : b.angular_velocity) - *row.rate).cwiseAbs().maxCoeff(),
                1e-9 * std::max(1.0, row.rate->norm()));
    }
    if (row.energy) {
      EXPECT_NEAR(c.energy.final - c.energy.initial, *row.energy,
                  1e-9 * std::abs(*row.energy) + 1e-13 * c.energy.scale);
    }
    if (row.kappa) {
      EXPECT_NEAR(1 + simulation.state().memory[0], *row.kappa, 1e-9);
    }
    if (row.gamma) {
      EXPECT_NEAR(simulation.state().memory[1], *row.gamma, 1e-6 * std::abs(*row.gamma));
    }
    EXPECT_LE(c.energy.identity_error, 1e-12);
    EXPECT_EQ(c.newton.fallbacks, 0);
  }
}

/// The pendulum with its angle for the only unknown: a scalar body with the energy -m g l cos(theta) of a program's
/// own.
Model pendulum_in_its_angle() {
  Model model;
  model.name = "pendulum a";
  Body body;
  body.name = "theta";
  body.type = Body::Type::scalar;
  body.axis = Vec3::UnitX();
  body.mass = 1;
  body.coordinate = std::numbers::pi / 2;
  model.bodies = {body};
  Potential weight{.name = "weight", .between = {"ground", "theta"}};
  weight.potential = std::make_shared<ComputedPotential>(ComputedPotential{
      ComputedPotential::Of::point, [](ComputedPotential::Numbers y) { return -9.81 * std::cos(y[0]); },
      [](ComputedPotential::Numbers y, std::span<double> g) { g[0] = 9.81 * std::sin(y[0]), g[1] = g[2] = 0; },
      [](ComputedPotential::Numbers y, std::span<double> H) {
        std::fill(H.begin(), H.end(), 0.0);
        H[0] = 9.81 * std::cos(y[0]);
      }});
  model.forces = {weight};
  return model;
}

TEST(LensCardona, HasTheDigitsOfThePendulumInItsAngle) {
  expect_digits(pendulum_in_its_angle(), 0.02, 1,
                {{lens("preserving", 0), "theta", {-1.404714833525, 0, 0}, Vec3(-1.800988494062, 0, 0), 0.0},
                 {lens("decaying", 1), "theta", {-1.405020044246, 0, 0}, Vec3(-1.799298361194, 0, 0)},
                 {lens("decaying-alpha", .5), "theta", {-1.405023495561, 0, 0}, Vec3(-1.799304667858, 0, 0)},
                 {lens("decaying-alpha", 0), "theta", {-1.405026934714, 0, 0}, Vec3(-1.79931104315, 0, 0), 0.0}});
}

TEST(LensCardona, HasTheDigitsOfTheConstrainedPendulum) {
  expect_digits(
      model_file("lens_b"), 0.02, 1,
      {{lens("preserving", 0), "mass", {-.986136504003, .165936118651, 0}, Vec3(-.297684526024, -1.779620906516, 0)},
       {lens("decaying-alpha", 1),
        "mass",
        {-.96394042932, .266118110474, 0},
        Vec3(-.453775415259, -1.546315597903, 0),
        -1.3121166358},
       {lens("decaying-alpha", 0),
        "mass",
        {-.246167032871, .969227420128, 0},
        Vec3(-1.219466177771, 4.18678208463, 0),
        0.0},
       {lens("alpha-kappa", 1),
        "mass",
        {-.986584611797, .163250738943, 0},
        Vec3(-.292064042808, -1.76505106292, 0),
        -1.1364191211e-3},
       {lens("alpha-kappa", .5),
        "mass",
        {-.986589316378, .163222304875, 0},
        Vec3(-.292021644103, -1.765110684126, 0),
        -7.646269048e-4},
       {lens("alpha-kappa", 0, "exact"),
        "mass",
        {-.986598966788, .163163962728, 0},
        Vec3(-.291934800061, -1.765233984843, 0),
        0.0,
        1.00001768059},
       {lens("alpha-kappa", 1, "exact"),
        "mass",
        {-.986590774696, .163213489896, 0},
        Vec3(-.292007777883, -1.765124806667, 0),
        -6.5727315498e-4}});
}

// Multipliers belong to Phi = |x|^2 - l^2 there and to (|x|^2 - l^2)/(2 l) here: twice as large.
TEST(LensCardona, HasTheDigitsOfTheFirstStepOfThePendulum) {
  Simulation simulation(with(model_file("lens_b"), lens("alpha-kappa", 1), 0.02, 0.02));
  ASSERT_TRUE(simulation.step());
  const State& state = simulation.state();
  EXPECT_LE((state.nodes[0].x - Vec3(.999998075265, .001962005874, 0)).norm(), 1e-12);
  EXPECT_LE((state.nodes[0].v - Vec3(-3.849458e-4, .196199748244, 0)).norm(), 1e-10);
  EXPECT_NEAR(state.lambda[0], 2 * .009623655278, 1e-11);
  EXPECT_NEAR(state.memory[2], 2 * .009623639842, 1e-11);    // lambda_j
  EXPECT_NEAR(state.memory[3], 2 * 1.60394203e-4, 1e-12);    // eta at the end
  EXPECT_NEAR(state.memory[4], -2 * 6.415781848e-5, 1e-12);  // eta at the jump
  EXPECT_LE((Vec3(1, 0, 0) + state.memory.segment<3>(5) - Vec3(.9999997861416, -6.540005594556e-4, 0)).norm(), 1e-12);
}

TEST(LensCardona, HasTheMultipliersOfThePendulum) {
  for (const auto& [choice, lambda] : {std::pair{lens("preserving", 0), 2.707944923528},
                                       {lens("decaying-alpha", 1), 3.003360477521},
                                       {lens("decaying-alpha", 0), 4.758576301761},
                                       {lens("alpha-kappa", 1), 2.670578893575}}) {
    Simulation simulation(with(model_file("lens_b"), choice, 0.02, 1));
    while (!simulation.done()) ASSERT_TRUE(simulation.step());
    EXPECT_NEAR(simulation.state().lambda[0], 2 * lambda, 2e-9);
  }
}

TEST(LensCardona, HasTheDigitsOfTheDoublePendulums) {
  expect_digits(
      model_file("lens_c"), 0.01, 0.5,
      {{lens("preserving", 0), "first", {.351125749761, -.936328312001, 0}, Vec3(-3.987521635787, -1.49498785286, 0)},
       {lens("preserving", 0), "second", {1.002727882948, -.177767398148, 0}, Vec3(-.100468867051, -4.830439562173, 0)},
       {lens("decaying", 1), "first", {.354331090141, -.935120034305, 0}, Vec3(-3.959116222428, -1.597624181568, 0)},
       {lens("decaying", 1), "second", {1.00336115996, -.174357279913, 0}, Vec3(-.063152396728, -4.75607532766, 0)},
       {lens("alpha-kappa", 1), "first", {.350802255659, -.936449559466, 0}, Vec3(-3.986326158943, -1.493312901068, 0)},
       {lens("alpha-kappa", 1),
        "second",
        {1.002695994437, -.178139231604, 0},
        Vec3(-.101555101356, -4.832919175675, 0)}});
  expect_digits(
      model_file("lens_d"), 0.01, 0.5,
      {{lens("preserving", 0), "first", {.310917817485, -.950436799987, 0}, Vec3(-3.842772464289, -1.255505936153, 0)},
       {lens("preserving", 0),
        "second",
        {1.000008069349, -.225761269293, 0},
        Vec3(-1.898625920585e-3, -4.905196670063, 0)},
       {lens("decaying", 1), "first", {.310956534549, -.950424133543, 0}, Vec3(-3.91775553188, -1.372448105302, 0)},
       {lens("decaying", 1),
        "second",
        {1.000015358384, -.225718719395, 0},
        Vec3(-1.425428066234e-3, -4.904274587495, 0)},
       {lens("alpha-kappa", 1), "first", {.310914015251, -.950438043809, 0}, Vec3(-3.839521264878, -1.256011352746, 0)},
       {lens("alpha-kappa", 1),
        "second",
        {1.0000078863, -.225765954598, 0},
        Vec3(-1.904312677501e-3, -4.905218160299, 0)}});
}

TEST(LensCardona, HasTheMultipliersOfTheDoublePendulum) {
  for (const auto& [choice, first, second] : {std::tuple{lens("preserving", 0), 12.046126424874, 3.370486530484},
                                              {lens("decaying", 1), 12.265302571007, 2.876969013739},
                                              {lens("alpha-kappa", 1), 12.032660890309, 3.382054899065}}) {
    Simulation simulation(with(model_file("lens_c"), choice, 0.01, 0.5));
    while (!simulation.done()) ASSERT_TRUE(simulation.step());
    EXPECT_NEAR(simulation.state().lambda[0], 2 * first, 2e-8) << lens_text(choice);
    EXPECT_NEAR(simulation.state().lambda[1], 2 * second, 2e-8) << lens_text(choice);
  }
}

TEST(LensCardona, HasTheDigitsOfTheHeavyTop) {
  expect_digits(
      model_file("heavy_top"), 1e-3, 0.1,
      {{lens("preserving", 0),
        "top",
        {.4212662614, .89458981146, -.1491435759},
        Vec3(4.855953101, 149.99997084, .92159183994)},
       {lens("decaying", 1),
        "top",
        {.4211052765, .8946789196, -.14906366735},
        Vec3(4.8984637586, 149.9182475, .51634617501),
        -6.100172026},
       {lens("alpha-kappa", 1),
        "top",
        {.42129916359, .89457050704, -.14916642614},
        Vec3(4.8358558769, 149.99999951, .89322473418),
        -3.447789e-5},
       {lens("alpha-kappa", 1, "one", "fixed-pole"),
        "top",
        {.4194000326, .89568044222, -.14785181121},
        Vec3(4.8320797363, 149.99814377, .90836433792),
        -7.392953e-3},
       {lens("alpha-kappa", 0, "exact"),
        "top",
        {.42129775882, .89457130634, -.14916560021},
        Vec3(4.8359055714, 149.99999951, .89294926159),
        0.0,
        .999999376742},
       {lens("alpha-kappa", 1, "gamma"), "top", {.42129919736, .894570504, -.14916634903}, {}, {}, {}, -4.342110e-5}});
}

TEST(LensCardona, HasTheDigitsOfHalfRotations) {
  const auto half = [](const char* scheme, double alpha, const char* kappa) {
    return lens(scheme, alpha, kappa, "half-rotation");
  };
  expect_digits(model_file("heavy_top"), 1e-3, 0.1,
                {{half("decaying", 1, "one"),
                  "top",
                  {.421063685463, .894673249497, -.149215111229},
                  Vec3(4.859846913903, 149.918227476654, .7160041599),
                  -6.1024378437},
                 {half("alpha-kappa", 1, "one"),
                  "top",
                  {.421257097939, .894564903662, -.149318754925},
                  Vec3(4.79490460956, 150.000016413921, 1.093173782606),
                  -3.4866044189e-5},
                 {half("alpha-kappa", 0, "exact"),
                  "top",
                  {.421255681509, .894565710242, -.149317918734},
                  Vec3(4.794966760352, 150.000016412745, 1.092895848355),
                  0.0}});
  expect_digits(model_file("heavy_top"), 1e-3, 0.25,
                {{half("preserving", 0, "one"),
                  "top",
                  {.54885289423, .40704680585, -.73011875633},
                  Vec3(-5.95601133451, 149.99993252923, .44842248173)}});
}

TEST(LensCardona, HasTheDigitsOfTheFirstStepOfTheTop) {
  Simulation simulation(with(model_file("heavy_top"), lens("alpha-kappa", 1), 1e-3, 1e-3));
  ASSERT_TRUE(simulation.step());
  const State& state = simulation.state();
  EXPECT_LE((state.nodes[0].x - Vec3(.004615371425, .999989349, -1.5481408416e-5)).norm(), 1e-10);
  EXPECT_LE((state.memory.segment<3>(2 + 9) - Vec3(7.3639880323e-9, .99999999999 - 1, 3.3852877022e-6)).norm(),
            1e-11);  // xj - xn
  EXPECT_LE((state.lambda.cwiseAbs() - Vec3(1.8091845839, 319.52763749, 317.26162972)).norm(), 1e-7);
  EXPECT_LE((state.memory.segment<3>(2).cwiseAbs() - Vec3(.38003466671, 319.52916693, 317.26392986)).norm(), 1e-7);
}

TEST(LensCardona, HasTheDigitsOfTheSphericalChain) {
  const auto rows = [](const IntegratorChoice& choice, const Vec3& second, const Vec3& fourth,
                       std::optional<double> energy, std::optional<double> kappa = {}) {
    return std::vector<Digits>{{choice, "body2", second, {}, energy, kappa}, {choice, "body4", fourth}};
  };
  for (const auto& digits :
       {rows(lens("preserving", 0), {-.31090480698, 1.7536727548, -4.0390760308},
             {-1.2952208485, 6.4481641339, -6.2287382576}, 0.0),
        rows(lens("decaying", 1), {-.32454295788, 1.7504951043, -4.0431442918},
             {-1.28393907, 6.4608067648, -6.2180627392}, -14.80068209),
        rows(lens("alpha-kappa", 1), {-.30991675709, 1.7542120071, -4.0392321265},
             {-1.2961256949, 6.4475665063, -6.2297101014}, 2.576038320e-2),
        rows(lens("alpha-kappa", 0, "exact"), {-.30987542839, 1.7542022053, -4.0392474677},
             {-1.2961403007, 6.4475107331, -6.2298451117}, 0.0, 1.000246652282),
        rows(lens("alpha-kappa", 1, "gamma"), {-.30990696057, 1.7542048537, -4.0392515922},
             {-1.2961250545, 6.4475354714, -6.2298350943}, -3.653429604e-3),
        rows(lens("alpha-kappa", 1, "one", "fixed-pole"), {-.31003242211, 1.754535277, -4.0391893776},
             {-1.2955049181, 6.4479744833, -6.2285330469}, -1.971507755e-2)})
    expect_digits(model_file("chain_spherical"), 0.02, 1, digits);
}

TEST(LensCardona, HasTheDigitsOfTheMixedChain) {
  const auto rows = [](const IntegratorChoice& choice, const Vec3& second, const Vec3& fourth,
                       std::optional<double> energy, std::optional<double> kappa = {}) {
    return std::vector<Digits>{{choice, "body2", second, {}, energy, kappa}, {choice, "body4", fourth}};
  };
  for (const auto& digits :
       {rows(lens("preserving", 0), {-.37915230527, 1.7210912105, -3.9954948758},
             {-1.2250487563, 6.4775819748, -6.2562595523}, 0.0),
        rows(lens("decaying", 1), {-.38995566284, 1.7208383932, -4.0031954597},
             {-1.217858167, 6.4883903997, -6.2442792609}, -14.48987218),
        rows(lens("alpha-kappa", 1), {-.37832380298, 1.7214648466, -3.9955298147},
             {-1.225771823, 6.4770904368, -6.2573108974}, 3.499763282e-2),
        rows(lens("alpha-kappa", 1, "exact"), {-.37827811999, 1.7214526408, -3.9955556007},
             {-1.2257851926, 6.4770253411, -6.2574888211}, -2.944568857e-3, 1.000310877826),
        rows(lens("alpha-kappa", 1, "gamma"), {-.37830656764, 1.7214625528, -3.9955734584},
             {-1.2257798192, 6.4770500211, -6.257462558}, -2.944267705e-3),
        rows(lens("alpha-kappa", 1, "gamma", "fixed-pole"), {-.37880652922, 1.7221711435, -3.9952697502},
             {-1.2257075613, 6.4776029619, -6.2556581309}, -5.270958251e-2)})
    expect_digits(mixed_chain(), 0.02, 1, digits);
}

TEST(LensCardona, HasTheDigitsOfTheFourBar) {  // a redundant loop
  expect_digits(
      lens_four_bar(), 0.01, 1,
      {{lens("preserving", 0), "coupler", {1.3394611304, .43285470587, -.17047974544}},
       {lens("decaying", 1), "coupler", {1.4027373139, .45448107002, -.17745569092}, {}, -3.679444343},
       {lens("alpha-kappa", 1),
        "coupler",
        {1.3370447091, .43200391767, -.17023612448},
        Vec3(.43260881157, -.93570675975, 1.0232160602),
        -2.514240078e-2},
       {lens("alpha-kappa", 1, "one", "fixed-pole"), "coupler", {1.3370460377, .43200438597, -.17023625797}}});
}

TEST(LensCardona, HasTheDigitsOfThePrismaticJointWithASpring) {
  const auto rows = [](const IntegratorChoice& choice, const Vec3& a, const Vec3& b,
                       std::optional<double> energy = {}) {
    return std::vector<Digits>{{choice, "a", a, {}, energy}, {choice, "b", b}};
  };
  for (const auto& digits : {rows(lens("preserving", 0), {.37342630743, -.34958428658, -.85926923574},
                                  {-.087203423595, -.15478294188, -.34868687161}),
                             rows(lens("decaying", 1), {.36886009226, -.33837679281, -.86570397852},
                                  {-.08756284935, -.15647242301, -.35067912404}, -.5969069013),
                             rows(lens("alpha-kappa", 1), {.37294760604, -.34994220272, -.85933144822},
                                  {-.08637460933, -.15577151337, -.35099915173}, -2.033393550e-3),
                             rows(lens("alpha-kappa", 1, "exact"), {.37296004539, -.34994360014, -.8593254804},
                                  {-.086388075579, -.15576046093, -.35095403982}, -1.494202494e-3)})
    expect_digits(lens_prismatic(), 0.01, 1, digits);
  expect_digits(lens_prismatic(), 0.01, 1,
                {{lens("alpha-kappa", 1, "gamma"), "a", {.372946607, -.34995175018, -.85932799377}},
                 {lens("alpha-kappa", 1, "one", "fixed-pole"), "a", {.37319196536, -.34982677541, -.85927235741}}});
}

TEST(LensCardona, HasTheDigitsOfTheFlyballGovernor) {  // stiff damped springs: dampers see the rate of the whole step
  const auto slider = [](double height) { return Vec3(0, 0, height); };
  expect_digits(model_file("flyball_governor"), 0.005, 0.5,
                {{lens("preserving", 0), "slider", slider(.74324796063)},
                 {lens("decaying", 1), "slider", slider(.72605850794)},
                 {lens("alpha-kappa", 1), "slider", slider(.74328179572)},
                 {lens("alpha-kappa", 1, "one", "fixed-pole"), "slider", slider(.7432477501)},
                 {lens("alpha-kappa", 1, "gamma", "fixed-pole"), "slider", slider(.74324775105)}});
}

// E(4) - E(0) of the pendulum with h = 0.02: the sweep over alpha of the paper's Figures 17 and 22.
TEST(LensCardona, LosesWhatTheSweepOverAlphaTells) {
  const auto loss = [](const IntegratorChoice& choice) {
    const Certificate c = run(model_file("lens_b"), choice, 0.02, 4);
    return c.energy.final - c.energy.initial;
  };
  for (const auto& [alpha, decaying_loss, one] : {std::tuple{.1, -8.3745483, -1.6477465e-3},
                                                  {.2, -7.3306698, -1.8867882e-3},
                                                  {.4, -5.7922812, -2.3648517e-3},
                                                  {.6, -4.7465814, -2.8428885e-3},
                                                  {.8, -4.0030531, -3.3208984e-3},
                                                  {1.0, -3.4528532, -3.7988814e-3}}) {
    EXPECT_NEAR(loss(lens("decaying-alpha", alpha)), decaying_loss, 6e-8);  // all to half a unit of the last digit told
    EXPECT_NEAR(loss(lens("alpha-kappa", alpha)), one, 5e-8 * std::abs(one));
  }
  for (const auto& [alpha, exact] : {std::pair{.2, -4.1647958e-4}, {.6, -1.2493346e-3}, {1.0, -2.0821654e-3}})
    EXPECT_NEAR(loss(lens("alpha-kappa", alpha, "exact")), exact, 5e-8 * std::abs(exact));
}

TEST(LensCardona, LocksWithoutDampingInTheDecayingScheme) {
  const Certificate c = run(model_file("lens_b"), lens("decaying-alpha", 0), 0.02, 4);
  EXPECT_LE(c.energy.max_relative_error, 1e-10);
  EXPECT_LE((body(c, "mass").position - Vec3(0, 1, 0)).norm(), 4e-4);  // it hangs straight down, and stays there
  EXPECT_NEAR(body(c, "mass").velocity.y(), 4.42945, 1e-4);  // with all its energy in a velocity along the rod
}

TEST(LensCardona, WantsOneNameOfItsDamping) {
  const Method& method = find_method("lens-cardona");
  EXPECT_THROW(complete_options(method, {"lens-cardona", {{"alpha", 0.5}, {"rho_inf", 0.5}}}), ModelError);
  EXPECT_FALSE(complete_options(method, {"lens-cardona", {{"alpha", 0.5}}}).all().contains("rho_inf"));
  EXPECT_FALSE(complete_options(method, {"lens-cardona", {}}).all().contains("alpha"));
  const Model model = model_file("chain_spherical");
  const Certificate a = run(model, {"lens-cardona", {{"alpha", 0.25}}}, 0.02, 0.2),
                    b = run(model, {"lens-cardona", {{"rho_inf", 0.6}}}, 0.02, 0.2);
  EXPECT_LE((body(a, "body4").position - body(b, "body4").position).norm(), 1e-13);
}

// A link of 1e-4 kg between two of 1e4 kg: its velocity is a hundred million times as sensitive to multipliers as
// displacements are, by which Newton's method is judged. It stopped at 1.4e-6 m/s.
TEST(LensCardona, MeetsTheVelocityLevelAtLargeMassRatios) {
  const Model model = model_text(R"("gravity": [0, -9.81, 0], "bodies": [
      { "name": "l0", "mass": 1e4, "inertia": [183, 217, 333], "position": [0.3, 0.1, 0] },
      { "name": "l1", "mass": 1e-4, "inertia": [1.9e-6, 2.2e-6, 3.4e-6], "position": [0.85, 0.4, 0] },
      { "name": "l2", "mass": 1e4, "inertia": [206, 244, 375], "position": [1.4, 0.45, 0] } ],
    "joints": [ { "name": "p0", "type": "revolute", "between": ["ground", "l0"], "at": [0, 0, 0], "axis": [0, 0, 1] },
                { "name": "p1", "type": "revolute", "between": ["l0", "l1"], "at": [0.6, 0.2, 0], "axis": [0, 0, 1] },
                { "name": "p2", "type": "revolute", "between": ["l1", "l2"], "at": [1.1, 0.6, 0], "axis": [0, 0, 1] } ])");
  const Certificate c = run(model, {"lens-cardona", {}}, 1.25e-3, 0.5);
  EXPECT_TRUE(c.complete());
  EXPECT_LE(c.constraints.velocity, 1e-11);
}

}  // namespace
}  // namespace polhode::lens_cardona_test

// System::evaluate: the matrix is the derivative of forces and residuals, and forces between bodies are in equilibrium,
// for every joint, row, spring and load, on every kind of node.
#include <polhode/system/system.hpp>

#include <functional>

#include <gtest/gtest.h>

#include <polhode/describe/object.hpp>
#include <polhode/elements/couplings.hpp>
#include <polhode/elements/forces.hpp>
#include <polhode/elements/joints.hpp>

#include "configurations.hpp"

namespace polhode::evaluate_test {
namespace {

// ---- one small model for each element ----

/// Two rigid bodies somewhere, and nothing else.
Model two_bodies() {
  RandomModelOptions options{.bodies = 2,
                             .free_floating = true,
                             .loops = 0,
                             .springs = false,
                             .dampers = false,
                             .drives = false,
                             .loads = false,
                             .gravity = false,
                             .lesser_nodes = false,
                             .moving = false};
  Model model = random_model(11, options);
  model.joints.clear();
  return model;
}

const Vec3 point(0.1, -0.2, 0.3), axis(0.3, 0.5, -0.7);

Joint joint_between(const Model& model, std::string_view word, const Names& between) {
  Joint joint(*find_kind(joint_kinds(), word));
  joint.rename(fmt::format("joint {}", model.joints.size()));
  *joint.field<Names>("between") = between;
  *joint.field<std::optional<Vec3>>("at") = point;
  if (auto* rod = joint.edit<Rod>()) {
    rod->at.reset();
    rod->at_a = point;
    rod->at_b = -point;
  }
  if (auto* along = joint.field<std::optional<Vec3>>("axis")) *along = axis;
  if (auto* universal = joint.edit<Universal>()) universal->axis_a = Vec3(1, 0, 0), universal->axis_b = Vec3(0, 1, 0);
  if (auto* screw = joint.edit<Screw>()) screw->pitch = 0.2;
  return joint;
}

Model with_joint(std::string_view type, bool grounded = false) {
  Model model = two_bodies();
  model.joints.push_back(joint_between(model, type, {grounded ? "ground" : "body 0", "body 1"}));
  return model;
}

Model with_coupling(bool gear) {
  Model model = two_bodies();
  model.joints.push_back(joint_between(model, gear ? "revolute" : "prismatic", {"ground", "body 0"}));
  model.joints.push_back(joint_between(model, "cylindrical", {"body 0", "body 1"}));
  if (gear)
    model.couplings = {Gear{.joints = {"joint 0", "joint 1"}, .ratio = 1.7}};
  else
    model.couplings = {Rack{.joints = {"joint 0", "joint 1"}, .radius = 0.4}};
  return model;
}

Function some_function() {
  Function f;
  f.type = Function::Type::polynomial;
  f.coefficients = {0.7, -0.4, 0.9};
  return f;
}

Model with_drive(Coordinate type, std::string_view joint) {
  Model model = two_bodies();
  Drive drive;
  drive.type = type;
  drive.motion = some_function();
  if (type == Coordinate::length) {
    drive.between = {"body 0", "body 1"};
    drive.at_a = point;
    drive.at_b = -point;
  } else {
    model = with_joint(joint);
    drive.joint = "joint 0";
  }
  model.drives.push_back(drive);
  return model;
}

Model with_force(Force force, std::string_view joint = "") {
  Model model = joint.empty() ? two_bodies() : with_joint(joint);
  model.forces.push_back(std::move(force));
  return model;
}

const Quaternion frame(Eigen::AngleAxisd(0.8, axis.normalized()));
Force some_spring() {
  return SpringDamper{
      .between = {"body 0", "body 1"}, .at_a = point, .at_b = -point, .stiffness = 7, .damping = 2, .length = 0.8};
}
Force some_bushing() {
  Bushing bushing{.between = {"body 0", "body 1"}, .at_a = point, .at_b = -point, .frame = frame};
  bushing.stiffness = Vec6(3, 4, 5, 1, 2, 3);
  bushing.damping = Vec6(1, 0, 3, 0.5, 0.6, 0);
  return bushing;
}

template <class L>
Model with_load(bool follower, int functions) {
  L load{.body = "body 1", .follower = follower};
  if constexpr (requires { load.at; }) load.at = point;
  if (functions < 3) load.vector = axis;
  load.function.assign(functions, some_function());
  return with_force(load);
}

/// A smooth energy that is not quadratic, of each kind of numbers.
Model with_potential(ComputedPotential::Of of, Coordinate coordinate = Coordinate::length,
                     std::string_view joint = "revolute") {
  const bool of_joint = of == ComputedPotential::Of::coordinate && coordinate != Coordinate::length;
  Potential force{.coordinate = coordinate, .frame = frame};
  if (of_joint)
    force.joint = "joint 0";
  else
    force.between = {"body 0", "body 1"}, force.at_a = point, force.at_b = -point;
  // W = prod (2 + sin((k + 1) y_k))
  const auto factor = [](std::span<const double> y, std::size_t k, int derivative) {
    const double c = static_cast<double>(k + 1);
    return derivative == 0   ? 2 + std::sin(c * y[k])
           : derivative == 1 ? c * std::cos(c * y[k])
                             : -c * c * std::sin(c * y[k]);
  };
  const auto product = [factor](std::span<const double> y, std::vector<int> derivatives) {
    double W = 1;
    for (std::size_t k = 0; k < y.size(); ++k) W *= factor(y, k, derivatives[k]);
    return W;
  };
  const auto derived = [product](std::span<const double> y, std::initializer_list<std::size_t> by) {
    std::vector<int> derivatives(y.size(), 0);
    for (const std::size_t k : by) ++derivatives[k];
    return product(y, derivatives);
  };
  force.potential = std::make_shared<ComputedPotential>(
      ComputedPotential{of, [=](std::span<const double> y) { return derived(y, {}); },
                        [=](std::span<const double> y, std::span<double> g) {
                          for (std::size_t k = 0; k < y.size(); ++k) g[k] = derived(y, {k});
                        },
                        [=](std::span<const double> y, std::span<double> H) {
                          for (std::size_t j = 0; j < y.size(); ++j)
                            for (std::size_t k = 0; k < y.size(); ++k) H[j * y.size() + k] = derived(y, {j, k});
                        }});
  return with_force(force, of_joint ? joint : "");
}

/// A fixed-point body, a particle and a sliding mass, each tied to a rigid body in the ways that it allows.
Model with_lesser_nodes() {
  Model model = two_bodies();
  model.gravity = Vec3(1, -2, 9.81);
  Body top = model.bodies[0], bead, slider;
  top.name = "top";
  top.type = Body::Type::fixed_point;
  top.pivot = Vec3(0.4, 0.3, -0.2);
  bead.name = "bead";
  bead.type = Body::Type::particle;
  bead.position = Vec3(0.5, 0.6, 0.7);
  bead.mass = 2;
  slider.name = "slider";
  slider.type = Body::Type::scalar;
  slider.mass = 3;
  slider.axis = axis;
  slider.position = Vec3(-0.5, 0.1, 0.4);
  for (const Body& body : {top, bead, slider}) model.bodies.push_back(body);
  for (const auto type : {"revolute", "rod", "planar"})
    model.joints.push_back(joint_between(model, type, {"top", "body 0"}));
  for (const std::string mass : {"bead", "slider"})
    for (const auto type : {"spherical", "rod", "point-on-line", "point-on-plane"})
      for (const std::string body : {"body 1", "top"}) {
        Joint joint = joint_between(model, type, {body, mass});
        joint.field<std::optional<Vec3>>("at")->reset();
        joint.field<std::optional<Vec3>>("at_b")->reset();
        model.joints.push_back(joint);
      }
  for (const std::string a : {"top", "bead", "slider"})
    for (const std::string b : {"body 0", "ground"}) {
      model.forces.push_back(
          SpringDamper{.between = {a, b}, .at_b = point, .stiffness = 5, .damping = 2, .length = 0.4});
    }
  for (const std::string body : {"top", "bead", "slider"})
    model.forces.push_back(PointForce{.body = body, .vector = axis});
  return model;
}

struct Case {
  std::string name;
  std::function<Model()> model;
};
void PrintTo(const Case& one, std::ostream* out) { *out << one.name; }

std::vector<Case> cases() {
  std::vector<Case> list;
  for (const JointKind* kind : joint_kinds()) {
    std::string name(kind->word);
    std::replace(name.begin(), name.end(), '-', '_');
    list.push_back({name, [kind] { return with_joint(kind->word); }});
    list.push_back({name + "_on_ground", [kind] { return with_joint(kind->word, true); }});
  }
  list.push_back({"gear", [] { return with_coupling(true); }});
  list.push_back({"rack", [] { return with_coupling(false); }});
  list.push_back({"angle_drive", [] { return with_drive(Coordinate::angle, "revolute"); }});
  list.push_back({"travel_drive", [] { return with_drive(Coordinate::travel, "prismatic"); }});
  list.push_back({"length_drive", [] { return with_drive(Coordinate::length, "rod"); }});
  list.push_back({"spring_damper", [] { return with_force(some_spring()); }});
  list.push_back({"torsional_spring", [] {
                    return with_force(
                        TorsionalSpringDamper{.joint = "joint 0", .stiffness = 7, .damping = 2, .angle = 0.3},
                        "revolute");
                  }});
  list.push_back({"bushing", [] { return with_force(some_bushing()); }});
  list.push_back(
      {"motor", [] { return with_force(JointForce{.joint = "joint 0", .function = some_function()}, "revolute"); }});
  list.push_back({"piston", [] {
                    return with_force(
                        JointForce{.joint = "joint 0", .coordinate = Coordinate::travel, .function = some_function()},
                        "prismatic");
                  }});
  for (const bool follower : {false, true})
    for (const int functions : {0, 1, 3}) {
      const std::string end = fmt::format("{}_{}", follower ? "follower" : "fixed", functions);
      list.push_back({"force_" + end, [=] { return with_load<PointForce>(follower, functions); }});
      list.push_back({"torque_" + end, [=] { return with_load<BodyTorque>(follower, functions); }});
    }
  using Of = ComputedPotential::Of;
  list.push_back({"potential_of_length", [] { return with_potential(Of::coordinate); }});
  list.push_back({"potential_of_angle", [] { return with_potential(Of::coordinate, Coordinate::angle); }});
  list.push_back(
      {"potential_of_travel", [] { return with_potential(Of::coordinate, Coordinate::travel, "prismatic"); }});
  list.push_back({"potential_of_point", [] { return with_potential(Of::point); }});
  list.push_back({"potential_of_pose", [] { return with_potential(Of::pose); }});
  list.push_back({"lesser_nodes", with_lesser_nodes});
  for (unsigned seed = 0; seed < 12; ++seed)
    list.push_back({fmt::format("random_{}", seed), [=] { return random_model(seed, {.bodies = 5, .loops = 2}); }});
  return list;
}

// ---- a stage between two random configurations, or at one ----

struct Trial {
  CompiledModel model;
  const System& system = model.system;
  Random random{77};
  std::vector<Frame> start, end;
  State given;
  VecX lambda;
  std::vector<Vec6> V;
  std::vector<Mat6> dV;  ///< how V varies with the end: anything will do
  double t0 = 0.3, t1 = 0.7, scale = 1.3;
  bool pointwise = false;

  explicit Trial(const Model& m, bool at_a_point = false) : model(compile(m)), pointwise(at_a_point) {
    start = moved(frames_of(system, model.start), random_motion(system, random, 0.3));
    end = moved(start, random_motion(system, random, 0.6));
    given = model.start;
    system.update_angles(pointwise ? end : start, given.angles);
    lambda = random.vector_x(system.row_count);
    V = random_motion(system, random, 1);
    for (int i = 0; i <= system.node_count(); ++i) dV.push_back(Mat6::NullaryExpr([&] { return random.number(); }));
  }

  /// Forces in space of all nodes and the ground, and residuals.
  std::pair<std::vector<Vec6>, VecX> evaluate(std::span<const Frame> q, const VecX& l, std::span<const Vec6> velocities,
                                              const AssemblyPlan* plan = nullptr, BlockMatrix* matrix = nullptr) const {
    const Stage stage{.start = pointwise ? q : start,
                      .end = q,
                      .t0 = pointwise ? t1 : t0,
                      .t1 = t1,
                      .scale = scale,
                      .lambda = span_of(l),
                      .given = &given,
                      .pointwise = pointwise,
                      .V = velocities,
                      .dV = dV};
    std::vector<Vec6> force(system.node_count() + 1, Vec6::Zero());
    VecX phi = VecX::Zero(system.row_count);
    system.evaluate(stage, force, span_of(phi), plan, matrix);
    return {force, phi};
  }

  /// The same in the unknowns of the nodes, after a variation w of the end and of lambda.
  VecX equations(const VecX& w) const {
    std::vector<Frame> q = end;
    std::vector<Vec6> velocities = V;
    for (int i = 0; i < system.node_count(); ++i) {
      const Vec6 u = system.spread(i, w.segment<6>(6 * i));
      q[i] = {end[i].x + u.head<3>(), so3::exp_matrix(u.tail<3>()) * end[i].d};
      velocities[i] += dV[i] * u;
    }
    const auto [force, phi] = evaluate(q, lambda + w.tail(system.row_count), velocities);
    VecX out(system.unknowns());
    for (int i = 0; i < system.node_count(); ++i) out.segment<6>(6 * i) = system.gather(i, force[i]);
    out.tail(system.row_count) = phi;
    return out;
  }

  MatX matrix(int levels = 1) const {
    AssemblyPlan plan = system.plan(levels);
    BlockMatrix matrix(plan.pattern);
    matrix.allocate();
    system.find_slots(plan, matrix);
    evaluate(end, lambda, V, &plan, &matrix);
    return dense(matrix);
  }
};

class Evaluate : public ::testing::TestWithParam<Case> {};
INSTANTIATE_TEST_SUITE_P(Elements, Evaluate, ::testing::ValuesIn(cases()),
                         [](const auto& test) { return test.param.name; });

TEST_P(Evaluate, ForcesOnNodesAreTheSameWhereNobodyAsksForThatOnTheGround) {
  const Trial trial(GetParam().model());
  const auto [all, phi] = trial.evaluate(trial.end, trial.lambda, trial.V);
  std::vector<Vec6> force(trial.system.node_count(), Vec6::Zero());
  VecX residual = VecX::Zero(trial.system.row_count);
  trial.system.evaluate({.start = trial.start,
                         .end = trial.end,
                         .t0 = trial.t0,
                         .t1 = trial.t1,
                         .scale = trial.scale,
                         .lambda = span_of(trial.lambda),
                         .given = &trial.given},
                        force, span_of(residual));
  for (int i = 0; i < trial.system.node_count(); ++i) EXPECT_EQ(force[i], all[i]) << i;
  EXPECT_EQ(residual, phi);
}

void expect_derivative(const Trial& trial) {
  const MatX matrix = trial.matrix();
  const int n = trial.system.unknowns();
  MatX exact(n, n);
  for (int k = 0; k < n; ++k)
    exact.col(k) = derivative([&](double t) { return trial.equations(t * VecX::Unit(n, k)); });
  // rows of the multipliers first: what scales the forces must not hide an error there
  EXPECT_LE(error(matrix.bottomRows(trial.system.row_count), exact.bottomRows(trial.system.row_count)), 1e-8);
  EXPECT_LE(error(matrix.rightCols(trial.system.row_count), exact.rightCols(trial.system.row_count)), 1e-8);
  EXPECT_LE(error(matrix, exact), 1e-8);
}

TEST_P(Evaluate, MatrixIsTheDerivativeBetweenTwoConfigurations) { expect_derivative(Trial(GetParam().model())); }
TEST_P(Evaluate, MatrixIsTheDerivativeAtAConfiguration) { expect_derivative(Trial(GetParam().model(), true)); }

// Bodies' blocks and joints' rows are set, the rest is cleared: nothing is left of what was there before.
TEST_P(Evaluate, LeavesNothingOfAnEarlierMatrix) {
  const Trial trial(GetParam().model());
  const System& system = trial.system;
  const auto filled = [&](double before) {
    AssemblyPlan plan = system.plan(1);
    BlockMatrix matrix(plan.pattern);
    matrix.allocate();
    system.find_slots(plan, matrix);
    std::fill(matrix.values().begin(), matrix.values().end(), before);
    system.clear(matrix);
    for (int i = 0; i < system.node_count(); ++i)
      system.set_node_block(i, system.inertia[i].mass, trial.dV[i].topLeftCorner<3, 3>(), plan, matrix);
    trial.evaluate(trial.end, trial.lambda, trial.V, &plan, &matrix);
    return dense(matrix);
  };
  EXPECT_EQ(filled(std::numeric_limits<double>::quiet_NaN()), filled(0));
}

// The layout with a second multiplier for each row holds the same numbers, and leaves the rest to the integrator.
TEST_P(Evaluate, LayoutWithTwoLevelsHoldsTheSameMatrix) {
  const Trial trial(GetParam().model());
  const System& system = trial.system;
  std::vector<int> kept;
  for (int i = 0; i < 6 * system.node_count(); ++i) kept.push_back(i);
  for (const ConstraintBlock& block : system.blocks)
    for (int k = 0; k < block.rows; ++k) kept.push_back(6 * system.node_count() + 2 * block.first_row + k);
  const MatX one = trial.matrix(1), two = trial.matrix(2);
  EXPECT_LE(size_of(one - two(kept, kept)), 0);
  EXPECT_EQ((one.array() != 0).count(), (two.array() != 0).count());
}

// What acts between bodies (the ground among them) has no resultant, and no moment at the mean configuration, other
// than that of the force between two points that a joint has not brought together: r x lambda.
TEST_P(Evaluate, InternalForcesAreInEquilibrium) {
  Model model = GetParam().model();
  std::erase_if(model.forces, [](const Force& f) { return f.get<PointForce>() || f.get<BodyTorque>(); });
  model.gravity.setZero();
  for (const bool pointwise : {false, true}) {
    const Trial trial(model, pointwise);
    const auto force = trial.evaluate(trial.end, trial.lambda, trial.V).first;
    Vec3 sum = Vec3::Zero(), moment = Vec3::Zero();
    double size = 0;
    for (std::size_t i = 0; i < force.size(); ++i) {
      const Vec3 x = pointwise ? trial.end[i].x : mean(trial.start[i], trial.end[i]).x;
      const Vec3 f = force[i].head<3>(), m = force[i].tail<3>();
      sum += f;
      moment += x.cross(f) + m;
      size += f.norm() * (1 + x.norm()) + m.norm();
    }
    trial.system.elements.for_each_row([&](const RowArray& rows, int k) {
      if (!rows.holds_point()) return;
      const Element& e = rows.element(k);
      const auto at = [&](const std::vector<Frame>& q) { return PairAt(e.pair, q[e.pair.a.node], q[e.pair.b.node]).r; };
      const Vec3 r = pointwise ? at(trial.end) : Vec3(0.5 * (at(trial.start) + at(trial.end)));
      moment -= r.cross(trial.lambda.segment<3>(rows.place(k).first));
    });
    EXPECT_LE(sum.norm(), 8 * round_off * size);
    EXPECT_LE(moment.norm(), 8 * round_off * size);
    EXPECT_EQ(size > 0.1, !model.joints.empty() || !model.drives.empty() || !model.forces.empty());
  }
}

// The residual on its own is that of a stage.
TEST_P(Evaluate, ResidualDoesNotDependOnTheStage) {
  const Trial trial(GetParam().model());
  VecX phi(trial.system.row_count);
  trial.system.residual(trial.end, trial.given.angles, trial.t1, span_of(phi));
  EXPECT_LE(error(trial.evaluate(trial.end, trial.lambda, trial.V).second, phi), 8 * round_off);
}

}  // namespace
}  // namespace polhode::evaluate_test

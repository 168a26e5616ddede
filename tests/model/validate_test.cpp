// A sound model with one thing made wrong has exactly one finding, and it says what.
#include <polhode/model/validate.hpp>

#include <cmath>
#include <functional>
#include <limits>

#include <gtest/gtest.h>

namespace polhode::validate_test {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
const double nan = std::numeric_limits<double>::quiet_NaN();

Body rigid(const char* name, const Vec3& position) {
  Body body;
  body.name = name;
  body.mass = 1;
  body.inertia = Vec3(1, 1, 1).asDiagonal();
  body.position = position;
  return body;
}

Joint joint(const char* name, Joint::Type type, const char* a, const char* b) {
  Joint joint;
  joint.name = name;
  joint.type = type;
  joint.between = {a, b};
  return joint;
}

// Two bodies in a row, hinged; a slider; a particle on a rod; a drive, a spring, a load.
Model machine() {
  Model m;
  m.bodies = {rigid("crank", Vec3(0, 0, 0)), rigid("slider", Vec3(1, 0, 0)), rigid("bob", Vec3(2, 0, 0))};
  m.bodies[2].type = Body::Type::particle;
  m.joints = {joint("hinge", Joint::Type::revolute, "ground", "crank"), joint("guide", Joint::Type::prismatic, "ground", "slider"),
              joint("string", Joint::Type::rod, "slider", "bob"), joint("cross", Joint::Type::universal, "crank", "slider")};
  m.joints[0].axis = m.joints[1].axis = Vec3::UnitZ();
  m.joints[3].axis_a = Vec3::UnitX();
  m.joints[3].axis_b = Vec3::UnitY();
  m.couplings = {Coupling{"rack", Coupling::Type::rack, {"guide", "hinge"}, 1, 0.1}};
  m.drives.resize(1);
  m.drives[0].name = "motor";
  m.drives[0].joint = "hinge";
  m.forces.resize(3);
  m.forces[0].name = "spring";
  m.forces[0].type = Force::Type::spring_damper;
  m.forces[0].between = {"crank", "slider"};
  m.forces[1].name = "push";
  m.forces[1].body = "slider";
  m.forces[2].name = "brake";
  m.forces[2].type = Force::Type::torsional_spring_damper;
  m.forces[2].joint = "hinge";
  return m;
}

TEST(Validate, FindsNothingInASoundModel) {
  const Findings findings = validate(machine());
  EXPECT_TRUE(findings.errors.empty()) << findings.errors[0];
  EXPECT_TRUE(findings.warnings.empty()) << findings.warnings[0];
}

struct Broken {
  std::function<void(Model&)> change;
  std::string finding;
};

void expect_findings(const std::vector<Broken>& list, std::vector<std::string> Findings::*kind) {
  for (const Broken& broken : list) {
    Model model = machine();
    broken.change(model);
    const Findings found = validate(model);
    ASSERT_EQ(found.errors.size() + found.warnings.size(), 1u)
        << broken.finding << (found.errors.size() > 1 ? "\n" + found.errors[0] + "\n" + found.errors[1] : "");
    ASSERT_EQ((found.*kind).size(), 1u) << broken.finding;
    EXPECT_EQ((found.*kind)[0], broken.finding);
  }
}

TEST(Validate, FindsWhatIsWrongWithBodies) {
  const std::string crank = "bodies[0] \"crank\": ";
  expect_findings(
      {{[](Model& m) { m.bodies[0].mass = 0; }, crank + "mass is 0; give a mass > 0 kg"},
       {[](Model& m) { m.bodies[0].mass = nan; }, crank + "mass is nan; it must be a finite number"},
       {[](Model& m) { m.bodies[0].position.y() = infinity; }, crank + "position is [0, inf, 0]; its numbers must be finite"},
       {[](Model& m) { m.bodies[0].inertia(0, 1) = 0.5; }, crank + "inertia is not symmetric, by 0.5 kg m^2"},
       {[](Model& m) { m.bodies[0].inertia(0, 0) = 0; },
        crank + "inertia about the centre of mass has the principal values [0, 1, 1]; all must be > 0"},
       {[](Model& m) { m.bodies[0].inertia_about = Vec3(2, 0, 0); },
        crank + "inertia about the centre of mass has the principal values [-3, -3, 1]; all must be > 0"},
       {[](Model& m) { m.bodies[0].orientation.w() = 1.1; },
        crank + "orientation is [1.1, 0, 0, 0] with norm 1.1; a rotation has norm 1"},
       {[](Model& m) { m.bodies[2].angular_velocity = Vec3::Zero(); },
        "bodies[2] \"bob\": angular_velocity is not used by a particle, which does not turn"},
       {[](Model& m) { m.bodies.push_back(rigid("crank", Vec3::Zero())); },
        "bodies[3] \"crank\": name is taken by bodies[0] \"crank\"; names are unique within a list"},
       {[](Model& m) { m.bodies.push_back(rigid("ground", Vec3::Zero())); },
        "bodies[3] \"ground\": name is \"ground\", which means what does not move; choose another"},
       {[](Model& m) { m.bodies.push_back(rigid("a/b", Vec3::Zero())); },
        "bodies[3] \"a/b\": name holds a slash or a control character, or is a dot; names are paths in result files"},
       {[](Model& m) { m.gravity.z() = nan; }, "model: gravity is [0, 0, nan]; its numbers must be finite"}},
      &Findings::errors);
}

// About its pivot a body may have what no body has about its centre of mass: that is odd, but regular.
TEST(Validate, JudgesAFixedPointBodyAboutItsPivot) {
  Model model;
  model.bodies = {rigid("top", Vec3::Zero())};
  Body& top = model.bodies[0];
  top.type = Body::Type::fixed_point;
  top.inertia = Vec3(0, 1, 1).asDiagonal();
  EXPECT_EQ(validate(model).errors.size(), 1u);
  top.centre_of_mass = Vec3(0, 0, 2);  // adds 4 about x and y
  EXPECT_TRUE(validate(model).errors.empty());
  top.inertia = Vec3(0, 0, 0).asDiagonal();  // a mass point at 2 m: nothing about z
  EXPECT_EQ(validate(model).errors.size(), 1u);

  top.inertia = Vec3(2, 2, 1).asDiagonal();  // less the mass at 2 m: [-2, -2, 1]
  top.inertia_about = Vec3::Zero();
  const Findings findings = validate(model);
  EXPECT_TRUE(findings.errors.empty());
  ASSERT_EQ(findings.warnings.size(), 1u);
  EXPECT_EQ(findings.warnings[0], "bodies[0] \"top\": warning: inertia about the centre of mass has the principal values "
                                  "[-2, -2, 1]; no real body has a negative one");
}

TEST(Validate, FindsWhatIsWrongWithJoints) {
  const std::string hinge = "joints[0] \"hinge\": ";
  expect_findings(
      {{[](Model& m) { m.joints[0].axis = Vec3::Zero(); }, hinge + "axis is [0, 0, 0]; give a direction such as [0, 0, 1]"},
       {[](Model& m) { m.joints[0].axis.reset(); }, hinge + "axis is missing; give a direction in space such as [0, 0, 1]"},
       {[](Model& m) { m.joints[0].axis_a = Vec3::UnitZ(); },
        hinge + "both axis and axis_a are given; axis is a direction in space for both bodies, axis_a and axis_b one in each"},
       {[](Model& m) { m.joints[0].at = m.joints[0].at_b = Vec3::Zero(); },
        hinge + "both at and at_b are given; at is one point in space for both bodies, at_a and at_b one in each"},
       {[](Model& m) { m.joints[0].at = Vec3(0, nan, 0); }, hinge + "at is [0, nan, 0]; its numbers must be finite"},
       {[](Model& m) { m.joints[0].between[1] = "crnak"; },
        hinge + "between[1]: there is no body \"crnak\"; did you mean \"crank\"?"},
       {[](Model& m) { m.joints[0].between[1] = "ground"; },
        hinge + "between is [\"ground\", \"ground\"]; name two different bodies, one of which moves"},
       {[](Model& m) { m.joints[0].between = {"crank", "crank"}; },
        hinge + "between is [\"crank\", \"crank\"]; name two different bodies"},
       {[](Model& m) { m.joints[0].between[1] = "bob"; },
        hinge + "\"bob\" is a particle, which has no orientation for a revolute joint"},
       {[](Model& m) { m.joints[2].at_b = Vec3(0, 0, 1); },
        "joints[2] \"string\": at_b is [0, 0, 1], but \"bob\" is a particle, which has no extent; leave at_b out"},
       {[](Model& m) { m.joints[2].length = 0; },
        "joints[2] \"string\": length is 0; give a length > 0 m, or use a spherical joint for coincident points"},
       {[](Model& m) { m.joints[2].at_a = Vec3(1, 0, 0); },
        "joints[2] \"string\": the anchors coincide at the model pose, so the rod has length 0; use a spherical joint, or "
        "give at_a and at_b apart"},
       {[](Model& m) { m.joints[2].axis = Vec3::UnitX(); }, "joints[2] \"string\": an axis is not used by a rod joint"},
       {[](Model& m) { m.joints[3].axis_b.reset(); },
        "joints[3] \"cross\": axis_b is missing; a universal joint needs axis_a and axis_b, perpendicular to each other"},
       {[](Model& m) { m.joints[3].axis_b = Vec3(1, 1, 0); },
        "joints[3] \"cross\": axis_a and axis_b stand at 45.0000 degrees at the model pose; a universal joint's are perpendicular"},
       {[](Model& m) { m.couplings[0].name = "hinge"; },
        "joints[4] \"hinge\": name is taken by joints[0] \"hinge\"; names are unique within a list"},
       {[](Model& m) { m.couplings[0].radius = 0; }, "joints[4] \"rack\": radius is 0, which ties nothing together"},
       {[](Model& m) { m.couplings[0].joints[0] = "string"; },
        "joints[4] \"rack\": joints[0]: \"string\" is a rod joint; a rack needs a prismatic or cylindrical one there"}},
      &Findings::errors);
}

TEST(Validate, FindsWhatIsWrongWithDrivesAndForces) {
  const std::string motor = "drives[0] \"motor\": ", spring = "forces[0] \"spring\": ", push = "forces[1] \"push\": ";
  expect_findings(
      {{[](Model& m) { m.drives[0].joint = "hing"; }, motor + "joint: there is no joint \"hing\"; did you mean \"hinge\"?"},
       {[](Model& m) { m.drives[0].joint = "rack"; }, motor + "joint: \"rack\" is a coupling of joints; name one of its joints"},
       {[](Model& m) { m.drives[0].type = Coordinate::travel; },
        motor + "joint \"hinge\" is a revolute joint, which has no travel for a drive; it has: angle"},
       {[](Model& m) { m.drives[0].joint = "string", m.drives[0].type = Coordinate::length; },
        motor + "joint \"string\" is a rod, whose length is fixed; leave the rod out and use a drive of type length between "
                "its bodies"},
       {[](Model& m) { m.drives[0].between = {"ground", "crank"}; },
        motor + "both joint and between are given; a drive needs one of them"},
       {[](Model& m) { m.drives[0].joint = ""; }, motor + "joint is missing; name a joint, or two bodies by between"},
       {[](Model& m) { m.drives.push_back(m.drives[0]), m.drives[1].name = "other"; },
        "drives[1] \"other\": the angle of joint \"hinge\" is driven by drives[0] \"motor\" already"},
       {[](Model& m) { m.drives[0].motion.value = infinity; }, motor + "motion is inf; it must be a finite number"},
       {[](Model& m) { m.forces[0].length = -1; }, spring + "length is -1; give a natural length >= 0 m"},
       {[](Model& m) { m.forces[1].body = "ground"; }, push + "body is \"ground\", which no force moves"},
       {[](Model& m) { m.forces[1].functions.resize(2); }, push + "function has 2 entries; give one, or three"},
       {[](Model& m) { m.forces[1].body = "bob", m.forces[1].type = Force::Type::torque; },
        push + "\"bob\" is a particle, which has no orientation for a torque"},
       {[](Model& m) { m.forces[2].joint = "guide"; },
        "forces[2] \"brake\": joint \"guide\" is a prismatic joint; a torsional-spring-damper needs a revolute, cylindrical "
        "or screw one"}},
      &Findings::errors);
}

TEST(Validate, FindsWhatIsWrongWithFunctions) {
  const auto motion = [](Function f) { return [f](Model& m) { m.drives[0].motion = f; }; };
  const std::string motor = "drives[0] \"motor\": motion";
  Function ramp, table, cubic, sum;
  ramp.type = Function::Type::ramp;
  ramp.start = ramp.end = 1;
  table.type = Function::Type::table;
  table.times = {0, 1, 1}, table.values = {0, 1, 2};
  cubic = table;
  cubic.times = {0, 1, 2};
  cubic.interpolation = Function::Interpolation::cubic;
  sum.type = Function::Type::sum;
  sum.terms = {Function::constant(1), table};
  expect_findings(
      {{motion(ramp), motor + ".end is 1 and start is 1; a ramp takes time (for a jump use piecewise)"},
       {motion(table), motor + ".times[2] is 1 after 1; times must increase"},
       {motion(cubic), motor + " is a cubic table that was not prepared; call Function::prepare()"},
       {motion(sum), motor + ".functions[1].times[2] is 1 after 1; times must increase"}},
      &Findings::errors);
}

TEST(Validate, FindsWhatIsWrongWithTheSimulation) {
  const std::string simulation = "simulation: ";
  expect_findings({{[](Model& m) { m.simulation.step = 0; }, simulation + "step is 0; give a time > 0 s such as 0.001"},
                   {[](Model& m) { m.simulation.end_time = -1; }, simulation + "end_time is -1; give a time >= 0 s"},
                   {[](Model& m) { m.simulation.output_step = 0.0025; },
                    simulation + "output_step is 0.0025, which is not a multiple of the step 0.001; try 0.003"},
                   {[](Model& m) { m.simulation.output_step = 1e-4; },
                    simulation + "output_step is 0.0001, which is not a multiple of the step 0.001; try 0.001"},
                   {[](Model& m) { m.simulation.newton.tolerance = nan; },
                    simulation + "newton.tolerance is nan; give a relative error between 0 and 1 such as 1e-13"},
                   {[](Model& m) { m.simulation.newton.max_iterations = 0; },
                    simulation + "newton.max_iterations is 0; give at least 1"},
                   {[](Model& m) { m.simulation.threads = 0; },
                    simulation + "threads is 0; give 1 to 1024, at most as many as there are processors"},
                   {[](Model& m) { m.simulation.threads = 1025; },
                    simulation + "threads is 1025; give 1 to 1024, at most as many as there are processors"}},
                  &Findings::errors);
}

TEST(Validate, WarnsOfWhatIsOddButRuns) {
  expect_findings({{[](Model& m) { m.bodies[0].inertia(2, 2) = 2.5; },
                    "bodies[0] \"crank\": warning: inertia about the centre of mass has the principal values [1, 1, 2.5]; in "
                    "a real body the largest is at most the sum of the others"},
                   {[](Model& m) { m.forces[0].stiffness = -1; },
                    "forces[0] \"spring\": warning: stiffness is -1; a negative one feeds energy"},
                   {[](Model& m) { m.forces[2].damping = -1; },
                    "forces[2] \"brake\": warning: damping is -1; a negative one feeds energy"}},
                  &Findings::warnings);
}

// Looking up the nearest name costs the size of the model: it is done for the first findings only, so that a large model
// with every name wrong is still judged quickly. All of them are found.
TEST(Validate, SuggestsNamesForTheFirstFindingsOnly) {
  Model model = machine();
  for (int k = 0; k < 100; ++k)
    model.joints.push_back(joint(("joint " + std::to_string(k)).c_str(), Joint::Type::spherical, "ground", "crnk"));
  const auto errors = validate(model).errors;
  ASSERT_EQ(errors.size(), 100u);
  for (std::size_t k = 0; k < errors.size(); ++k)
    EXPECT_EQ(errors[k].ends_with("did you mean \"crank\"?"), k < 20) << errors[k];
}

}  // namespace
}  // namespace polhode::validate_test

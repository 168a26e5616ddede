// A sound model with one thing made wrong has exactly one finding, and it says what.
#include <polhode/model/validate.hpp>

#include <cmath>
#include <functional>
#include <limits>

#include <gtest/gtest.h>

#include <polhode/elements/couplings.hpp>
#include <polhode/elements/forces.hpp>
#include <polhode/elements/joints.hpp>

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

// Two bodies in a row, hinged; a slider; a particle on a rod; a drive, a spring, a load.
Model machine() {
  Model m;
  m.bodies = {rigid("crank", Vec3(0, 0, 0)), rigid("slider", Vec3(1, 0, 0)), rigid("bob", Vec3(2, 0, 0))};
  m.bodies[2].type = Body::Type::particle;
  m.joints = {
      Revolute{.name = "hinge", .between = {"ground", "crank"}, .axis = Vec3::UnitZ()},
      Prismatic{.name = "guide", .between = {"ground", "slider"}, .axis = Vec3::UnitZ()},
      Rod{.name = "string", .between = {"slider", "bob"}},
      Universal{.name = "cross", .between = {"crank", "slider"}, .axis_a = Vec3::UnitX(), .axis_b = Vec3::UnitY()}};
  m.couplings = {Rack{.name = "rack", .joints = {"guide", "hinge"}, .radius = 0.1}};
  m.drives = {Drive{.name = "motor", .joint = "hinge"}};
  m.forces = {SpringDamper{.name = "spring", .between = {"crank", "slider"}},
              PointForce{.name = "push", .body = "slider", .vector = Vec3::UnitX()},
              TorsionalSpringDamper{.name = "brake", .joint = "hinge"}};
  return m;
}
Revolute& hinge_of(Model& m) { return *m.joints[0].edit<Revolute>(); }
Rod& string_of(Model& m) { return *m.joints[2].edit<Rod>(); }
Universal& cross_of(Model& m) { return *m.joints[3].edit<Universal>(); }
Rack& rack_of(Model& m) { return *m.couplings[0].edit<Rack>(); }
SpringDamper& spring_of(Model& m) { return *m.forces[0].edit<SpringDamper>(); }
PointForce& push_of(Model& m) { return *m.forces[1].edit<PointForce>(); }
TorsionalSpringDamper& brake_of(Model& m) { return *m.forces[2].edit<TorsionalSpringDamper>(); }

TEST(Validate, FindsNothingInASoundModel) {
  const Findings findings = validate(machine());
  EXPECT_TRUE(findings.all.empty()) << to_text(findings.all[0]);
}

struct Broken {
  std::function<void(Model&)> change;
  std::string finding;
};

void expect_findings(const std::vector<Broken>& list, Finding::Severity severity) {
  for (const Broken& broken : list) {
    Model model = machine();
    broken.change(model);
    const std::vector<Finding> found = validate(model).all;
    ASSERT_EQ(found.size(), 1u) << broken.finding
                                << (found.size() > 1 ? "\n" + to_text(found[0]) + "\n" + to_text(found[1]) : "");
    EXPECT_EQ(found[0].severity, severity) << broken.finding;
    EXPECT_EQ(to_text(found[0]), broken.finding);
  }
}

TEST(Validate, FindsWhatIsWrongWithBodies) {
  const std::string crank = "bodies[0] \"crank\": ";
  expect_findings(
      {{[](Model& m) { m.bodies[0].mass = 0; }, crank + "mass is 0; give a mass > 0 kg"},
       {[](Model& m) { m.bodies[0].mass = nan; }, crank + "mass is nan; it must be a finite number"},
       {[](Model& m) { m.bodies[0].position.y() = infinity; },
        crank + "position is [0, inf, 0]; its numbers must be finite"},
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
      Finding::Severity::error);
}

// About its pivot a body may have what no body has about its centre of mass: that is odd, but regular.
TEST(Validate, JudgesAFixedPointBodyAboutItsPivot) {
  Model model;
  model.bodies = {rigid("top", Vec3::Zero())};
  Body& top = model.bodies[0];
  top.type = Body::Type::fixed_point;
  top.inertia = Vec3(0, 1, 1).asDiagonal();
  EXPECT_EQ(validate(model).errors().size(), 1u);
  top.centre_of_mass = Vec3(0, 0, 2);  // adds 4 about x and y
  EXPECT_TRUE(validate(model).errors().empty());
  top.inertia = Vec3(0, 0, 0).asDiagonal();  // a mass point at 2 m: nothing about z
  EXPECT_EQ(validate(model).errors().size(), 1u);

  top.inertia = Vec3(2, 2, 1).asDiagonal();  // less the mass at 2 m: [-2, -2, 1]
  top.inertia_about = Vec3::Zero();
  const Findings findings = validate(model);
  EXPECT_FALSE(findings.has_errors());
  ASSERT_EQ(findings.warnings().size(), 1u);
  EXPECT_EQ(to_text(findings.warnings()[0]),
            "bodies[0] \"top\": warning: inertia about the centre of mass has the principal values "
            "[-2, -2, 1]; no real body has a negative one");
}

TEST(Validate, FindsWhatIsWrongWithJoints) {
  const std::string hinge = "joints[0] \"hinge\": ";
  expect_findings(
      {{[](Model& m) { hinge_of(m).axis = Vec3::Zero(); },
        hinge + "axis is [0, 0, 0]; give a direction such as [0, 0, 1]"},
       {[](Model& m) { hinge_of(m).axis.reset(); },
        hinge + "axis is missing; give a direction in space such as [0, 0, 1]"},
       {[](Model& m) { hinge_of(m).axis_a = Vec3::UnitZ(); },
        hinge + "both axis and axis_a are given; axis is a direction in space for both bodies, axis_a and axis_b one "
                "in each"},
       {[](Model& m) { hinge_of(m).at = hinge_of(m).at_b = Vec3::Zero(); },
        hinge + "both at and at_b are given; at is one point in space for both bodies, at_a and at_b one in each"},
       {[](Model& m) { hinge_of(m).at = Vec3(0, nan, 0); }, hinge + "at is [0, nan, 0]; its numbers must be finite"},
       {[](Model& m) { hinge_of(m).between[1] = "crnak"; },
        hinge + "between[1]: there is no body \"crnak\"; did you mean \"crank\"?"},
       {[](Model& m) { hinge_of(m).between[1] = "ground"; },
        hinge + "between is [\"ground\", \"ground\"]; name two different bodies, one of which moves"},
       {[](Model& m) {
          hinge_of(m).between = {"crank", "crank"};
        },
        hinge + "between is [\"crank\", \"crank\"]; name two different bodies"},
       {[](Model& m) { hinge_of(m).between[1] = "bob"; },
        hinge + "\"bob\" is a particle, which has no orientation for a revolute joint"},
       {[](Model& m) { string_of(m).at_b = Vec3(0, 0, 1); },
        "joints[2] \"string\": at_b is [0, 0, 1], but \"bob\" is a particle, which has no extent; leave at_b out"},
       {[](Model& m) { string_of(m).length = 0; },
        "joints[2] \"string\": length is 0; give a length > 0 m, or use a spherical joint for coincident points"},
       {[](Model& m) { string_of(m).at_a = Vec3(1, 0, 0); },
        "joints[2] \"string\": the anchors coincide at the model pose, so the rod has length 0; use a spherical joint, "
        "or "
        "give at_a and at_b apart"},
       {[](Model& m) { cross_of(m).axis_b = Vec3::Zero(); },
        "joints[3] \"cross\": axis_b is [0, 0, 0]; give a direction such as [0, 0, 1]"},
       {[](Model& m) { cross_of(m).axis_b = Vec3(1, 1, 0); },
        "joints[3] \"cross\": axis_a and axis_b stand at 45.0000 degrees at the model pose; a universal joint's are "
        "perpendicular"},
       {[](Model& m) { rack_of(m).name = "hinge"; },
        "joints[4] \"hinge\": name is taken by joints[0] \"hinge\"; names are unique within a list"},
       {[](Model& m) { rack_of(m).radius = 0; }, "joints[4] \"rack\": radius is 0, which ties nothing together"},
       {[](Model& m) { rack_of(m).joints[0] = "string"; },
        "joints[4] \"rack\": joint \"string\" is a rod joint, which has no travel for a rack"}},
      Finding::Severity::error);
}

TEST(Validate, FindsWhatIsWrongWithDrivesAndForces) {
  const std::string motor = "drives[0] \"motor\": ", spring = "forces[0] \"spring\": ", push = "forces[1] \"push\": ";
  expect_findings(
      {{[](Model& m) { m.drives[0].joint = "hing"; },
        motor + "joint: there is no joint \"hing\"; did you mean \"hinge\"?"},
       {[](Model& m) { m.drives[0].joint = "rack"; },
        motor + "joint: \"rack\" is a coupling of joints; name one of its joints"},
       {[](Model& m) { m.drives[0].type = Coordinate::travel; },
        motor + "joint \"hinge\" is a revolute joint, which has no travel for a drive; it has: angle"},
       {[](Model& m) { m.drives[0].joint = "string", m.drives[0].type = Coordinate::length; },
        motor + "joint \"string\" is a rod, whose length is fixed; leave the rod out and use a drive of type length "
                "between "
                "its bodies"},
       {[](Model& m) {
          m.drives[0].between = {"ground", "crank"};
        },
        motor + "both joint and between are given; a drive needs one of them"},
       {[](Model& m) { m.drives[0].joint = ""; }, motor + "joint is missing; name a joint, or two bodies by between"},
       {[](Model& m) { m.drives.push_back(m.drives[0]), m.drives[1].name = "other"; },
        "drives[1] \"other\": the angle of joint \"hinge\" is driven by drives[0] \"motor\" already"},
       {[](Model& m) { m.drives[0].motion.value = infinity; }, motor + "motion is inf; it must be a finite number"},
       {[](Model& m) { spring_of(m).length = -1; }, spring + "length is -1; give a natural length >= 0 m"},
       {[](Model& m) { push_of(m).body = "ground"; }, push + "body is \"ground\", which no force moves"},
       {[](Model& m) { push_of(m).function.resize(2); }, push + "function has 2 entries; give one, or three"},
       {[](Model& m) { push_of(m).vector.reset(); },
        push + "vector is missing; give it, or function as a list of three"},
       {[](Model& m) { m.forces[1] = BodyTorque{.name = "push", .body = "bob", .vector = Vec3::UnitX()}; },
        push + "\"bob\" is a particle, which has no orientation for a torque"},
       {[](Model& m) { brake_of(m).joint = "guide"; },
        "forces[2] \"brake\": joint \"guide\" is a prismatic joint, which has no angle for a torsional-spring-damper; "
        "it has: travel"}},
      Finding::Severity::error);
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
  expect_findings({{motion(ramp), motor + ".end is 1 and start is 1; a ramp takes time (for a jump use piecewise)"},
                   {motion(table), motor + ".times[2] is 1 after 1; times must increase"},
                   {motion(cubic), motor + " is a cubic table that was not prepared; call Function::prepare()"},
                   {motion(sum), motor + ".functions[1].times[2] is 1 after 1; times must increase"}},
                  Finding::Severity::error);
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
                    simulation + "newton.tolerance is nan; it must be a finite number"},
                   {[](Model& m) { m.simulation.newton.max_iterations = 0; },
                    simulation + "newton.max_iterations is 0; give at least 1"},
                   {[](Model& m) { m.simulation.threads = 0; },
                    simulation + "threads is 0; give 1 to 1024, at most as many as there are processors"},
                   {[](Model& m) { m.simulation.threads = 1025; },
                    simulation + "threads is 1025; give 1 to 1024, at most as many as there are processors"}},
                  Finding::Severity::error);
}

TEST(Validate, WarnsOfWhatIsOddButRuns) {
  expect_findings(
      {{[](Model& m) { m.bodies[0].inertia(2, 2) = 2.5; },
        "bodies[0] \"crank\": warning: inertia about the centre of mass has the principal values [1, 1, 2.5]; in "
        "a real body the largest is at most the sum of the others"},
       {[](Model& m) { spring_of(m).stiffness = -1; },
        "forces[0] \"spring\": warning: stiffness is -1; a negative one feeds energy"},
       {[](Model& m) { brake_of(m).damping = -1; },
        "forces[2] \"brake\": warning: damping is -1; a negative one feeds energy"}},
      Finding::Severity::warning);
}

// Looking up the nearest name costs the size of the model: it is done for the first findings only, so that a large
// model with every name wrong is still judged quickly. All of them are found.
TEST(Validate, SuggestsNamesForTheFirstFindingsOnly) {
  Model model = machine();
  for (int k = 0; k < 100; ++k)
    model.joints.push_back(Spherical{.name = "joint " + std::to_string(k), .between = {"ground", "crnk"}});
  const auto errors = validate(model).errors();
  ASSERT_EQ(errors.size(), 100u);
  for (std::size_t k = 0; k < errors.size(); ++k)
    EXPECT_EQ(errors[k].text.ends_with("did you mean \"crank\"?"), k < 20) << errors[k].text;
}

}  // namespace
}  // namespace polhode::validate_test

// Threads share the work of a large model: the motion is the same to the last bit for any number of them.
#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <polhode/elements/couplings.hpp>
#include <polhode/elements/forces.hpp>
#include <polhode/elements/joints.hpp>
#include <polhode/lie/so3.hpp>

#include "simulate/runs.hpp"

namespace polhode::threads_test {
namespace {

Body rod(const std::string& name, const Vec3& start, const Vec3& end, double mass) {
  Body body;
  body.name = name;
  body.mass = mass;
  const double length = (end - start).norm();
  body.inertia = mass * length * length * Vec3(0.01, 0.09, 0.085).asDiagonal();
  body.position = 0.5 * (start + end);
  body.orientation = so3::between(Vec3::UnitX(), end - start);
  return body;
}

Joint ball(const std::string& name, const std::string& a, const std::string& b, const Vec3& at) {
  return Spherical{.name = name, .between = {a, b}, .at = at};
}
Joint hinge(const std::string& name, const std::string& a, const std::string& b, const Vec3& at) {
  return Revolute{.name = name, .between = {a, b}, .at = at, .axis = Vec3(0.3, 1, 0.2).normalized()};
}

Model heavy() {
  Model model;
  model.gravity = Vec3(0, 0, -9.81);
  return model;
}

/// A binary tree of rods; some joints are hinges.
Model tree(int n) {
  Model model = heavy();
  std::vector<Vec3> ends, axes;
  for (int k = 0; k < n; ++k) {
    const int parent = (k - 1) / 2;
    const Vec3 start = k ? ends[parent] : Vec3::Zero();
    const double length = std::pow(0.85, std::log2(k + 1));
    const Vec3 along =
        k ? (axes[parent] + (k % 2 ? 0.7 : -0.7) * axes[parent].cross(Vec3(0.2, 1, 0.1 * (k % 5))).normalized())
                .normalized()
          : Vec3(1, 0.3, -0.5).normalized();
    ends.push_back(start + length * along);
    axes.push_back(along);
    model.bodies.push_back(rod(fmt::format("b{}", k), start, ends.back(), std::pow(0.7, std::log2(k + 1))));
    model.joints.push_back((k % 3 == 1 ? hinge : ball)(fmt::format("j{}", k), k ? fmt::format("b{}", parent) : "ground",
                                                       fmt::format("b{}", k), start));
  }
  return model;
}

/// A zigzag chain of hinges, with gears between neighbouring ones, springs at some, and a driven one.
Model chain(int n) {
  Model model = heavy();
  for (int k = 0; k < n; ++k) {
    const auto at = [](int i) { return Vec3(0.5 * i, 0.3 * (i % 2), -0.1 * (i % 3)); };
    model.bodies.push_back(rod(fmt::format("b{}", k), at(k), at(k + 1), 1));
    model.joints.push_back((k % 4 == 3 ? ball : hinge)(fmt::format("j{}", k), k ? fmt::format("b{}", k - 1) : "ground",
                                                       fmt::format("b{}", k), at(k)));
    if (k % 20 == 2) {
      model.couplings.push_back(Gear{
          .name = fmt::format("g{}", k), .joints = {fmt::format("j{}", k - 1), fmt::format("j{}", k)}, .ratio = 2});
    }
    if (k % 20 == 8) {
      model.forces.push_back(TorsionalSpringDamper{.name = fmt::format("s{}", k),
                                                   .joint = fmt::format("j{}", k),
                                                   .stiffness = 50,
                                                   .damping = 0.1,
                                                   .angle = 0.1});
    }
  }
  return model;
}

/// A net of n x n cells of rods, hung from a rail: every cell is a loop.
Model net(int n) {
  Model model = heavy();
  const auto node = [](int i, int j) { return Vec3(j, 0.25 * ((i + j) % 2) + 0.1 * i, -0.95 * i); };
  std::map<std::pair<int, int>, std::vector<std::string>> meeting;
  const auto add = [&](std::pair<int, int> one, std::pair<int, int> other) {
    const std::string name = fmt::format("b{}", model.bodies.size());
    model.bodies.push_back(rod(name, node(one.first, one.second), node(other.first, other.second), 1));
    meeting[one].push_back(name);
    meeting[other].push_back(name);
  };
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j <= n; ++j) add({i, j}, {i + 1, j});
    for (int j = 0; j < n; ++j) add({i + 1, j}, {i + 1, j + 1});
  }
  for (const auto& [place, rods] : meeting) {
    const std::string first = place.first == 0 ? "ground" : rods[0];
    for (std::size_t k = place.first == 0 ? 0 : 1; k < rods.size(); ++k)
      model.joints.push_back(
          ball(fmt::format("j{}", model.joints.size()), first, rods[k], node(place.first, place.second)));
  }
  return model;
}

/// Boxes in a lattice, bushings between neighbours and to the ceiling, no joints.
Model lattice(int n, int m) {
  Model model = heavy();
  const auto place = [](int i, int j, int k) { return Vec3(0.25 * i + 0.02 * (j % 2), 0.25 * j, -0.25 * k); };
  const auto name = [](int i, int j, int k) { return fmt::format("b{}.{}.{}", i, j, k); };
  const auto tie = [&](const std::string& a, const std::string& b, const Vec3& at) {
    Bushing bushing{.name = fmt::format("f{}", model.forces.size()), .between = {a, b}, .at = at};
    bushing.stiffness = Vec6(1000, 2000, 1500, 5, 6, 7);
    bushing.damping = Vec6(1, 2, 1, 0.01, 0.02, 0.01);
    model.forces.push_back(bushing);
  };
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      for (int k = 0; k < m; ++k) {
        Body box;
        box.name = name(i, j, k);
        box.mass = 1;
        box.inertia = Vec3(0.0021, 0.0025, 0.0029).asDiagonal();
        box.position = place(i, j, k);
        model.bodies.push_back(box);
        const Vec3 at = box.position;
        if (i > 0) tie(name(i - 1, j, k), box.name, 0.5 * (at + place(i - 1, j, k)));
        if (j > 0) tie(name(i, j - 1, k), box.name, 0.5 * (at + place(i, j - 1, k)));
        tie(k > 0 ? name(i, j, k - 1) : "ground", box.name, at + Vec3(0, 0, 0.125));
      }
  return model;
}

/// The state after some steps; parts = 0: as many as the model's size asks for.
State moved(const Model& model, const IntegratorChoice& choice, double h, int steps, int threads, int parts = 0) {
  CompiledModel compiled = compile(model);
  if (parts > 0) compiled.system.divide(parts);
  State state = compiled.start;
  consistent_start(compiled, SimulationOptions::Assembly::strict, state);
  const auto integrator = make_integrator(compiled.system, choice, {}, Resources::of(threads, compiled.system.parts));
  integrator->start(state, h);
  for (int k = 0; k < steps; ++k) EXPECT_TRUE(integrator->step(state, h).converged) << "step " << k;
  return state;
}

std::vector<double> numbers(const State& state) {
  std::vector<double> out;
  for (const NodeState& s : state.nodes) {
    out.insert(out.end(), s.x.data(), s.x.data() + 3);
    out.insert(out.end(), s.q.coeffs().data(), s.q.coeffs().data() + 4);
    out.insert(out.end(), s.v.data(), s.v.data() + 3);
    out.insert(out.end(), s.Omega.data(), s.Omega.data() + 3);
  }
  out.insert(out.end(), state.angles.begin(), state.angles.end());
  out.insert(out.end(), state.lambda.data(), state.lambda.data() + state.lambda.size());
  return out;
}

/// The largest difference of configurations, relative to the largest coordinate and to 1 rad.
double distance(const State& a, const State& b) {
  double size = 1, largest = 0;
  for (const NodeState& s : a.nodes) size = std::max(size, s.x.norm());
  for (std::size_t i = 0; i < a.nodes.size(); ++i)
    largest = std::max(
        {largest, (a.nodes[i].x - b.nodes[i].x).norm() / size, (a.nodes[i].q.coeffs() - b.nodes[i].q.coeffs()).norm()});
  return largest;
}

const IntegratorChoice decaying{"energy-decaying", {{"energy", "physical"}}};
const IntegratorChoice damped{"energy-decaying", {{"light_bodies", "damped"}}};

struct Case {
  std::string name;
  Model model;
  IntegratorChoice choice;
  double h;
  int steps, parts;
};

std::vector<Case> cases() {
  return {{"tree, energy-momentum", tree(2000), energy_momentum(), 0.01, 5, 0},
          {"tree, generalized-alpha", tree(700), generalized_alpha(), 0.01, 3, 0},
          {"tree, energy-decaying", tree(700), decaying, 0.01, 3, 0},
          {"chain, energy-momentum", chain(1500), energy_momentum(), 0.01, 5, 0},
          {"chain, generalized-alpha", chain(400), generalized_alpha(), 0.01, 3, 7},
          {"chain, energy-decaying", chain(400), decaying, 0.01, 3, 7},
          {"chain, light bodies damped", chain(300), damped, 0.01, 3, 0},
          {"net, energy-momentum", net(12), energy_momentum(), 0.005, 3, 8},
          {"net, generalized-alpha", net(8), generalized_alpha(), 0.005, 3, 8},
          {"net, energy-decaying", net(8), decaying, 0.005, 3, 8},
          {"lattice, energy-momentum", lattice(5, 6), energy_momentum(), 0.002, 3, 8},
          {"lattice, generalized-alpha", lattice(4, 4), generalized_alpha(), 0.002, 3, 4},
          {"lattice, energy-decaying", lattice(4, 4), decaying, 0.002, 3, 4}};
}

TEST(Threads, DoNotChangeABit) {
  for (const Case& c : cases()) {
    const std::vector<double> alone = numbers(moved(c.model, c.choice, c.h, c.steps, 1, c.parts));
    for (const int threads : {2, 3, 5})
      EXPECT_EQ(numbers(moved(c.model, c.choice, c.h, c.steps, threads, c.parts)), alone)
          << c.name << ", " << threads << " threads";
  }
}

TEST(Threads, PartsChangeOnlyTheRounding) {
  for (const Case& c : cases()) {
    const State whole = moved(c.model, c.choice, c.h, c.steps, 1, 1),
                divided = moved(c.model, c.choice, c.h, c.steps, 1, c.parts);
    EXPECT_LE(distance(whole, divided), 1e-12) << c.name;
  }
}

TEST(Threads, SmallModelsAreNotDivided) {
  Model model = tree(255);
  model.simulation.threads = 4;
  const CompiledModel compiled = compile(model);
  EXPECT_EQ(compiled.system.parts, 1);
  EXPECT_EQ(Resources::of(4, compiled.system.parts).pool, nullptr);
  EXPECT_TRUE(compiled.system.elements.tasks.empty());
}

TEST(Threads, TasksHaveEveryElementOnceAndNoNodeInTwoLinesOfAPhase) {
  for (const Model& model : {tree(600), chain(500), net(9), lattice(5, 5)}) {
    CompiledModel compiled = compile(model);
    System& system = compiled.system;
    system.divide(9);
    std::vector<int> seen(system.element_count, 0), nodes_seen(system.nodes.size(), 0);
    for (std::size_t k = 0; k + 1 < system.elements.tasks.phases.size(); ++k) {
      std::vector<int> owner(system.nodes.size() + 1, -1), owner_of_row(system.row_count, -1);
      int shared = 0;
      int too_early = 0;
      for (int line = system.elements.tasks.phases[k]; line < system.elements.tasks.phases[k + 1]; ++line) {
        const auto take = [&](int& held) { shared += held >= 0 && held != line, held = line; };
        const auto both = [&](const Element& e) {
          ++seen[e.index];
          for (int i : {e.pair.a.node, e.pair.b.node})
            if (i < system.ground()) take(owner[i]), too_early += nodes_seen[i] == 0;
        };
        const auto in_task = [&](const ElementArray& array, int task, const auto& f) {
          for (int i = array.tasks.first[task]; i < array.tasks.first[task + 1]; ++i) f(array.tasks.order[i]);
        };
        for (int task = system.elements.tasks.lines[line]; task < system.elements.tasks.lines[line + 1]; ++task) {
          for (int i : system.elements.tasks.nodes_of(task)) ++nodes_seen[i];
          for (const auto& rows : system.elements.rows)
            in_task(*rows, task, [&](int e) { both(rows->element(e)), take(owner_of_row[rows->place(e).first]); });
          for (const auto& laws : system.elements.laws) in_task(*laws, task, [&](int e) { both(laws->element(e)); });
        }
      }
      EXPECT_EQ(shared, 0);
      EXPECT_EQ(too_early, 0) << "elements come after their nodes";
    }
    EXPECT_EQ(std::count(seen.begin(), seen.end(), 1), system.element_count);
    EXPECT_EQ(std::count(nodes_seen.begin(), nodes_seen.end(), 1), system.node_count());
  }
}

TEST(Threads, TheCertificateSaysHowMany) {
  Model model = with(tree(300), energy_momentum(), 0.01, 0.02);
  const Certificate one = Simulation(model).run();
  model.simulation.threads = 2;
  const Certificate two = Simulation(model).run();
  EXPECT_EQ(one.threads, 1);
  EXPECT_EQ(two.threads, 2);
  EXPECT_NE(to_text(two).find("on 2 threads"), std::string::npos);
  EXPECT_EQ(one.energy.final, two.energy.final);
  EXPECT_EQ(one.energy.max_relative_error, two.energy.max_relative_error);
  EXPECT_EQ(one.momentum.angular_error, two.momentum.angular_error);
  for (std::size_t k = 0; k < one.bodies.size(); ++k)
    EXPECT_EQ(one.bodies[k].second.position, two.bodies[k].second.position);
}

}  // namespace
}  // namespace polhode::threads_test

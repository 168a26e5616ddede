#include <polhode/study/conservation.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <polhode/elements/forces/spring_damper.hpp>
#include <polhode/elements/joints/spherical.hpp>
#include <polhode/lie/so3.hpp>
#include <polhode/model/error.hpp>
#include <polhode/simulate/simulation.hpp>

namespace polhode {
namespace {

constexpr double step = 0.01, end_time = 1, rounding = 2e-11;

Kept judge(double coarse, double fine) {
  if (!std::isfinite(coarse) || !std::isfinite(fine)) return {Kept::Kind::lost, 0, coarse};
  if (coarse < rounding && fine < rounding) return {Kept::Kind::exact, 0, coarse};
  const double power = std::log2(coarse / fine);
  if (power < 0.5) return {Kept::Kind::lost, 0, coarse};
  return {Kept::Kind::order, static_cast<int>(std::lround(power)), coarse};
}

/// There with steps h, and back with steps -h: how far from the start, in lengths and angles.
double way_back(const Model& model, double h) {
  const CompiledModel compiled = compile(model);
  State state = compiled.start;
  consistent_start(compiled, model.simulation.assembly, state);
  const auto integrator = make_integrator(compiled.system, model.simulation.integrator, model.simulation.newton);
  integrator->start(state, h);
  const State start = state;
  const int steps = static_cast<int>(std::lround(0.5 * end_time / h));
  for (const double signed_h : {h, -h})
    for (int k = 0; k < steps; ++k)
      if (!integrator->step(state, signed_h).converged) return std::numeric_limits<double>::infinity();
  double apart = 0;
  for (std::size_t i = 0; i < state.nodes.size(); ++i)
    apart = std::max({apart, (state.nodes[i].x - start.nodes[i].x).norm(),
                      so3::log(state.nodes[i].q.conjugate() * start.nodes[i].q).norm(),
                      (state.nodes[i].v - start.nodes[i].v).norm() / 10,
                      (state.nodes[i].Omega - start.nodes[i].Omega).norm() / 10});
  return apart;
}

std::string cell(const Kept& kept) {
  switch (kept.kind) {
    case Kept::Kind::exact: return "exact";
    case Kept::Kind::order: return fmt::format("h^{} ({:.0e})", kept.power, kept.error);
    case Kept::Kind::lost: return std::isfinite(kept.error) ? fmt::format("no ({:.0e})", kept.error) : "no";
    case Kept::Kind::nothing: return "";
  }
  return "";
}

std::string name_of_variant(const IntegratorChoice& choice) {
  std::vector<std::string> words = {fmt::format("`{}`", choice.name)};
  for (const auto& [name, value] : choice.options)
    words.push_back(std::holds_alternative<double>(value) ? fmt::format("{} {:g}", name, std::get<double>(value))
                                                          : fmt::format("{} {}", name, std::get<std::string>(value)));
  return fmt::format("{}", fmt::join(words, " "));
}

}  // namespace

Model flying_pair(bool joint, double stiffness) {
  Model model;
  model.name = fmt::format("flying pair {}", joint ? "with a joint" : "on springs");
  Body a, b;
  a.name = 'a';
  a.mass = 2;
  a.inertia = Vec3(0.3, 0.5, 0.7).asDiagonal();
  a.velocity = Vec3(0.3, -0.2, 0.5);
  a.angular_velocity = Vec3(1.0, -2.0, 3.0);
  b.name = 'b';
  b.mass = 1.5;
  b.inertia = Vec3(0.2, 0.35, 0.25).asDiagonal();
  b.position = Vec3(1.0, 0.2, 0);
  b.angular_velocity = Vec3(-1.5, 0.5, 2.0);
  if (!joint) b.velocity = Vec3(0, 0.4, -0.3);
  model.bodies = {a, b};
  if (joint) {
    model.joints = {Spherical{.name = "ball", .between = {"a", "b"}, .at = Vec3(0.5, 0.1, 0.1)}};
  }
  for (int k = 0; k < (joint ? 1 : 3); ++k) {
    model.forces.push_back(SpringDamper{.name = fmt::format("spring{}", k + 1),
                                        .between = {"a", "b"},
                                        .at_a = Vec3(0, 0.4 - 0.4 * k, 0.1 * k),
                                        .at_b = Vec3(-0.1, 0.3 - 0.3 * k, 0.2 - 0.2 * k),
                                        .stiffness = stiffness,
                                        .length = 0.9});
  }
  model.simulation.step = step;
  model.simulation.end_time = end_time;
  return model;
}

std::vector<IntegratorChoice> method_variants() {
  std::vector<IntegratorChoice> out;
  for (const Method& method : methods()) {
    out.push_back({method.name, {}});
    const auto initial = MethodOptions(*method.options).all();
    for (const FieldInfo& field : method.options->fields) {
      const std::string name(field.word);
      std::vector<OptionValue> values = alternatives(field);
      if (name == "rho_inf") values = {1.0, 0.0};
      for (const OptionValue& value : values)
        if (value != initial.at(name)) out.push_back({method.name, {{name, value}}});
    }
  }
  return out;
}

Conservation measure_conservation(const IntegratorChoice& integrator) {
  Conservation out;
  out.integrator = integrator;
  const auto run = [&](bool joint, double stiffness, double h) {
    Model model = flying_pair(joint, stiffness);
    model.simulation.integrator = integrator;
    model.simulation.step = h;
    const Certificate c = Simulation(model).run();
    if (!c.complete()) throw ModelError(c.reason);
    return c;
  };
  const bool joint = !why_not(compile(flying_pair(true, 50)).system, integrator);
  try {
    const Certificate coarse = run(joint, 50, step), fine = run(joint, 50, 0.5 * step);
    out.model = coarse.model;
    out.energy = judge(coarse.energy.balance_error, fine.energy.balance_error);
    out.linear_momentum = judge(coarse.momentum.linear_error, fine.momentum.linear_error);
    out.angular_momentum = judge(coarse.momentum.angular_error, fine.momentum.angular_error);
    if (joint) {
      out.position = judge(coarse.constraints.position, fine.constraints.position);
      out.velocity = judge(coarse.constraints.velocity, fine.constraints.velocity);
    }
    Model model = flying_pair(joint, 50);
    model.simulation.integrator = integrator;
    out.reversal = judge(way_back(model, step), way_back(model, 0.5 * step));
    out.gains = coarse.energy.gaining_steps > 0 || fine.energy.gaining_steps > 0;
    if (joint)
      out.gains = out.gains || run(joint, 1e6, step).energy.gaining_steps > 0;  // 20 times the period of the spring
  } catch (const ModelError& error) {
    out.failure = error.what();
    out.gains = true;
  }
  return out;
}

std::string conservation_table(const std::vector<Conservation>& rows) {
  std::string out =
      "| method | energy | gains energy | linear momentum | angular momentum | joints | their rates | way back |\n"
      "| --- | --- | --- | --- | --- | --- | --- | --- |\n";
  for (const Conservation& r : rows)
    out += fmt::format("| {} | {} | {} | {} | {} | {} | {} | {} |\n", name_of_variant(r.integrator), cell(r.energy),
                       r.gains ? "yes" : "no", cell(r.linear_momentum), cell(r.angular_momentum), cell(r.position),
                       cell(r.velocity), cell(r.reversal));
  return out;
}

}  // namespace polhode

// How a model is simulated: the options of a run.
#pragma once

#include <map>
#include <optional>
#include <variant>

#include <polhode/describe/field.hpp>

namespace polhode {

/// How an integrator is chosen: its name and its options, checked against the table of integrate/methods.
using OptionValue = std::variant<double, std::string>;
struct IntegratorChoice {
  std::string name = "energy-momentum";
  std::map<std::string, OptionValue> options{};
  bool operator==(const IntegratorChoice&) const = default;
};

struct NewtonOptions {
  double tolerance = 1e-17;
  int max_iterations = 20;
  bool operator==(const NewtonOptions&) const = default;
};

struct SimulationOptions {
  enum class Assembly { strict, project };
  IntegratorChoice integrator{};
  double step = 1e-3;
  double end_time = 1;
  std::optional<double> output_step{};
  Assembly assembly = Assembly::strict;
  NewtonOptions newton{};
  double loop_tolerance = 1e-5;
  int threads = 1;
  bool operator==(const SimulationOptions&) const = default;
};

template <>
const ValueType& value_type_of<IntegratorChoice>();

template <>
inline constexpr auto words<SimulationOptions::Assembly> = std::to_array<Word>({
    {"strict", "data that contradict the joints are an error"},
    {"project", "they are moved to the nearest that do not"},
});

template <>
inline constexpr auto fields_of<NewtonOptions> = fields(
    field<&NewtonOptions::tolerance>("", "on the estimated error of a step's unknowns, relative, each kind by itself",
                                     {.need = Need::shown,
                                      .allowed = {.least = 0,
                                                  .most = 1,
                                                  .open = true,
                                                  .remark = "; give a relative error between 0 and 1 such as 1e-13"}}),
    field<&NewtonOptions::max_iterations>("", "iterations before a step is halved",
                                          {.need = Need::shown,
                                           .allowed = {.least = 1, .remark = "; give at least 1"}}));
template <>
inline constexpr Description kind<NewtonOptions> = describe<NewtonOptions>("newton", "how far a step is solved");

template <>
inline constexpr auto fields_of<SimulationOptions> = fields(
    field<&SimulationOptions::integrator>("", "the method and its options; `polhode integrators` lists them",
                                          {.need = Need::shown, .otherwise = "energy-momentum"}),
    field<&SimulationOptions::step>(
        "s", "length of a step",
        {.need = Need::shown, .allowed = {.least = 0, .open = true, .remark = "; give a time > 0 s such as 0.001"}}),
    field<&SimulationOptions::end_time>("s", "end of the run",
                                        {.need = Need::shown,
                                         .allowed = {.least = 0, .remark = "; give a time >= 0 s"}}),
    field<&SimulationOptions::output_step>(
        "s", "time between samples, a multiple of the step",
        {.otherwise = "about 1000 samples",
         .allowed = {.least = 0, .open = true, .remark = "; give a time > 0 s, a multiple of the step"}}),
    field<&SimulationOptions::assembly>("", ""), field<&SimulationOptions::newton>("", ""),
    field<&SimulationOptions::loop_tolerance>(
        "",
        "an equation of a loop counts as redundant, for the whole run, if the part of it that does not follow from the "
        "others is smaller: of a unit row, in rad or relative to the size of the model",
        {.allowed = {.least = 1e-7, .most = 1e-2, .remark = "; give a part between 1e-7 and 0.01 such as 1e-5"}}),
    field<&SimulationOptions::threads>(
        "", "threads that share the work of a model of 256 bodies or more; the motion does not depend on it",
        {.allowed = {
             .least = 1, .most = 1024, .remark = "; give 1 to 1024, at most as many as there are processors"}}));
template <>
inline constexpr Description kind<SimulationOptions> = describe<SimulationOptions>("simulation",
                                                                                   "how the model is simulated");

}  // namespace polhode

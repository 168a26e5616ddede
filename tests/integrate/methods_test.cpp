// The table of methods: one from outside of the library is served like those within, and names are unique.
#include <polhode/integrate/methods.hpp>

#include <algorithm>

#include <gtest/gtest.h>

#include <polhode/model/error.hpp>

#include "simulate/runs.hpp"
#include "simulate/says.hpp"

namespace polhode::methods_test {
namespace {

/// The library's rule of order 4 or 2, under another name and with an option of another spelling.
Method disguised() {
  return {.name = "disguised",
          .summary = "energy-momentum under another name",
          .order = "2 or 4",
          .conserves = "all",
          .use = "testing",
          .source = "none",
          .options = {{"accuracy", "how accurate", std::string("low"), {}, {"low", "high"}, 0, 0}},
          .make = [](const System& system, const NewtonOptions& newton, const MethodOptions& options,
                     const Resources& resources) {
            return make_integrator(system, energy_momentum(options.word("accuracy") == "high" ? 4.0 : 2.0), newton,
                                   resources);
          }};
}

std::string message(const std::function<void()>& f) {
  try {
    f();
  } catch (const ModelError& error) {
    return error.what();
  }
  return "";
}

TEST(Methods, ServeARegisteredOneLikeTheirOwn) {
  const Method& before = find_method("rattlie");
  if (std::none_of(methods().begin(), methods().end(), [](const Method& m) { return m.name == "disguised"; }))
    register_method(disguised());
  EXPECT_EQ(&find_method("rattlie"), &before);  // references stay good
  EXPECT_EQ(methods().back().name, "disguised");

  // a model names it, with its option; the motion is the library's bit by bit
  const Model model =
      model_text(R"("bodies": [ { "name": "b", "mass": 1, "inertia": [1, 2, 3], "angular_velocity": [1, 2, 3] } ],
    "simulation": { "integrator": { "name": "disguised", "accuracy": "high" }, "step": 0.01, "end_time": 1 })");
  const Certificate c = Simulation(model).run();
  EXPECT_EQ(c.integrator, "disguised, accuracy high");
  EXPECT_EQ(body(c, "b").orientation.coeffs(), body(run(model, energy_momentum(4), 0.01, 1), "b").orientation.coeffs());

  const auto refused = [&](const IntegratorChoice& choice) { return message([&] { run(model, choice, 0.01, 1); }); };
  EXPECT_TRUE(says(refused({"disguised", {{"accuracy", std::string("middling")}}}), "low or high"));
  EXPECT_TRUE(says(refused({"disguised", {{"acuracy", std::string("low")}}}), "accuracy"));
  EXPECT_TRUE(says(refused({"disguise", {}}), "disguised"));
}

TEST(Methods, RefuseANameThatExistsAndAMethodThatMakesNothing) {
  const std::size_t count = methods().size();
  Method twice = disguised();
  twice.name = "geradin";
  EXPECT_TRUE(says(message([&] { register_method(twice); }), "geradin"));
  Method empty = disguised();
  empty.name = "empty";
  empty.make = {};
  EXPECT_TRUE(says(message([&] { register_method(empty); }), "makes"));
  EXPECT_EQ(methods().size(), count);
}

}  // namespace
}  // namespace polhode::methods_test

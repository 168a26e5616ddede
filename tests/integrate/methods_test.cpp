// The table of methods: one from outside of the library is served like those within, and names are unique.
#include <polhode/integrate/methods.hpp>

#include <algorithm>

#include <gtest/gtest.h>

#include <polhode/describe/object.hpp>
#include <polhode/model/error.hpp>

#include "simulate/runs.hpp"
#include "simulate/says.hpp"

namespace polhode {
namespace methods_test {

struct DisguisedOptions {
  enum class Accuracy { low, high };
  Accuracy accuracy = Accuracy::low;
  double weight = 0.5;
  std::optional<double> mass{};
  int parts = 1;
  bool operator==(const DisguisedOptions&) const = default;
};

}  // namespace methods_test

template <>
inline constexpr auto words<methods_test::DisguisedOptions::Accuracy> = std::to_array<Word>({{"low"}, {"high"}});
template <>
inline constexpr auto fields_of<methods_test::DisguisedOptions> =
    fields(field<&methods_test::DisguisedOptions::accuracy>("", "how accurate"),
           field<&methods_test::DisguisedOptions::weight>("", "a number", {.allowed = {.least = 0, .most = 1}}),
           field<&methods_test::DisguisedOptions::mass>("kg", "the same otherwise",
                                                        {.otherwise = "2 weight", .instead_of = "weight"}),
           field<&methods_test::DisguisedOptions::parts>("", "how many", {.allowed = {.numbers = {1, 3}}}));

namespace methods_test {
namespace {

/// The library's rule of order 4 or 2, under another name and with an option of another spelling.
Method disguised() {
  return MethodOf<DisguisedOptions>{.name = "disguised",
                                    .summary = "energy-momentum under another name",
                                    .order = "2 or 4",
                                    .conserves = "all",
                                    .use = "testing",
                                    .source = "none",
                                    .make = [](const System& system, const NewtonOptions& newton,
                                               const DisguisedOptions& options, const Resources& resources) {
                                      const bool high = options.accuracy == DisguisedOptions::Accuracy::high;
                                      return make_integrator(system, energy_momentum(high ? 4.0 : 2.0), newton,
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
  EXPECT_EQ(c.integrator, "disguised, accuracy high, parts 1, weight 0.5");
  EXPECT_EQ(body(c, "b").orientation.coeffs(), body(run(model, energy_momentum(4), 0.01, 1), "b").orientation.coeffs());

  // its options are checked by their table, and every finding has its place
  const auto refused = [&](const IntegratorChoice& choice) { return message([&] { run(model, choice, 0.01, 1); }); };
  EXPECT_TRUE(says(refused({"disguised", {{"accuracy", std::string("middling")}}}), "low or high"));
  EXPECT_TRUE(says(refused({"disguised", {{"acuracy", std::string("low")}}}), "accuracy"));
  EXPECT_TRUE(says(refused({"disguise", {}}), "disguised"));
  const Findings wrong = check_choice(
      {"disguised", {{"accuracy", std::string("hgih")}, {"weight", 1.5}, {"parts", 2.0}, {"wieght", 1.0}}});
  ASSERT_EQ(wrong.all.size(), 4u);
  const auto text = [&](std::size_t k) { return to_text(wrong.all[k]); };
  EXPECT_EQ(text(0), "simulation: integrator.accuracy is \"hgih\"; did you mean \"high\"?");
  EXPECT_EQ(text(1), "simulation: integrator.parts is 2; it can be 1 or 3");
  EXPECT_EQ(text(2), "simulation: integrator.weight is 1.5; it must be between 0 and 1");
  EXPECT_EQ(text(3),
            "simulation: integrator.wieght: disguised has no such option; its options are: accuracy, weight, mass, "
            "parts; did you mean \"weight\"?");
  EXPECT_EQ(wrong.all[2].field, "integrator.weight");
}

// Two options that say the same: the one that is given holds, and only one of them can be.
TEST(Methods, TakeOneOfTwoOptionsThatAreOne) {
  const Method method = disguised();
  EXPECT_EQ(complete_options(method, {"disguised", {}}).all().count("mass"), 0u);
  const auto given = complete_options(method, {"disguised", {{"mass", 2.0}}}).all();
  EXPECT_EQ(given.count("weight"), 0u);
  EXPECT_EQ(given.at("mass"), OptionValue(2.0));
  EXPECT_TRUE(says(message([&] {
                     complete_options(method, {"disguised", {{"mass", 2.0}, {"weight", 1.0}}});
                   }),
                   "they are one number, mass = 2 weight"));
}

// What the tables say is what the methods take: every word and number of every option.
TEST(Methods, TakeEveryValueOfTheirTables) {
  for (const Method& method : methods()) {
    for (const FieldInfo& option : method.options->fields) {
      EXPECT_FALSE(meaning_of(option).empty() && option.words.size() > 2) << method.name << " " << option.word;
      EXPECT_FALSE(range_of(option).empty() && method.name != "disguised") << method.name << " " << option.word;
      for (const OptionValue& value : alternatives(option)) {
        const std::string word(option.word);
        EXPECT_EQ(complete_options(method, {method.name, {{word, value}}}).all().at(word), value);
      }
    }
  }
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
}  // namespace methods_test
}  // namespace polhode

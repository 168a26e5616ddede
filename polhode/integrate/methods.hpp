// The table of all methods: name, order, what each conserves, its options, its source. A new integrator of the library
// is one file and one entry here; one of your own is registered.
#pragma once

#include <deque>
#include <functional>
#include <string>
#include <vector>

#include <polhode/integrate/integrator.hpp>

namespace polhode {

/// An option of a method: a number in a range, one of several numbers or words.
struct OptionInfo {
  std::string name, meaning;
  OptionValue initial;
  std::vector<double> numbers;     ///< the only numbers allowed, if not empty
  std::vector<std::string> words;  ///< the only words allowed, for an option that may be a word
  double least = 0, most = 0;      ///< range of a number, if there are neither `numbers` nor `words`
};

/// The options of a run: every option of the method, with its default where the user gave none.
class MethodOptions {
 public:
  explicit MethodOptions(std::map<std::string, OptionValue> values) : values_(std::move(values)) {}
  double number(const std::string& name) const { return std::get<double>(values_.at(name)); }
  const std::string& word(const std::string& name) const { return std::get<std::string>(values_.at(name)); }
  const std::map<std::string, OptionValue>& all() const { return values_; }
  void set(const std::string& name, const OptionValue& value) { values_[name] = value; }

 private:
  std::map<std::string, OptionValue> values_;
};

/// An option that the user left to the program: what it is on a system, and why.
struct ChosenOption {
  std::string name;
  OptionValue value;
  std::string reason;  ///< in a word or two: "loops"
};

struct Method {
  std::string name, summary;
  std::string order, conserves, use, source;
  std::vector<OptionInfo> options;
  /// Why the method cannot serve a system with these options: what stands against it, and what to use instead. Nothing
  /// if it can; without this function it serves every system.
  std::function<std::optional<std::string>(const System&, const MethodOptions&)> why_not = {};
  /// Makes the integrator. It does not fail if why_not() has nothing to say.
  std::function<std::unique_ptr<Integrator>(const System&, const NewtonOptions&, const MethodOptions&,
                                            const Resources&)>
      make;
  /// Chooses for a system the options that are left to the program (`auto`); without this function there are none. The
  /// two functions above see what was chosen.
  std::function<std::vector<ChosenOption>(const System&, const MethodOptions&)> choose = {};
};

const std::deque<Method>& methods();

/// Adds a method of your own: from then on a model may name it, with its options, as any of the library's. ModelError
/// if its name is taken. Methods stay where they are, references to others remain good; but register before runs begin
/// in other threads.
void register_method(Method method);

/// The method of that name; ModelError with the nearest name if there is none.
const Method& find_method(const std::string& name);

/// The choice's options with defaults filled in; ModelError for an unknown option or a value out of range.
MethodOptions complete_options(const Method& method, const IntegratorChoice& choice);

/// All options of a run on a system: defaults filled in, and what is left to the program chosen.
struct SettledOptions {
  MethodOptions options;
  std::vector<ChosenOption> chosen;
};
SettledOptions settle_options(const System& system, const IntegratorChoice& choice);
/// Method and options in words, with the reasons of what was chosen: energy-momentum, index 2 (auto: loops), order 4.
std::string in_words(const std::string& method, const SettledOptions& settled);

/// Why the chosen method cannot serve a system; nothing if it can. ModelError if there is no such method, or an option
/// is wrong.
std::optional<std::string> why_not(const System& system, const IntegratorChoice& choice);
/// The same of steps of h from a consistent state, which may be beyond a limit of stability.
std::optional<std::string> why_not(const System& system, const IntegratorChoice& choice, const State& state, double h);
/// The integrator of a choice. ModelError if there is no such method, an option is wrong, or it cannot serve the
/// system.
std::unique_ptr<Integrator> make_integrator(const System& system, const IntegratorChoice& choice,
                                            const NewtonOptions& newton = {}, const Resources& resources = {});

}  // namespace polhode

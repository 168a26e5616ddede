// The table of all methods: name, order, what each conserves, its options, its source. A new integrator is one file and
// one entry here.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <polhode/integrate/integrator.hpp>

namespace polhode {

/// An option of a method: a number in a range, or one of several words.
struct OptionInfo {
  std::string name, meaning;
  OptionValue initial;
  std::vector<double> numbers;      ///< the only numbers allowed, if not empty
  std::vector<std::string> words;   ///< the only words allowed, for an option that is a word
  double least = 0, most = 0;       ///< range of a number, if `numbers` is empty
};

/// The options of a run: every option of the method, with its default where the user gave none.
class MethodOptions {
 public:
  explicit MethodOptions(std::map<std::string, OptionValue> values) : values_(std::move(values)) {}
  double number(const std::string& name) const { return std::get<double>(values_.at(name)); }
  const std::string& word(const std::string& name) const { return std::get<std::string>(values_.at(name)); }
  const std::map<std::string, OptionValue>& all() const { return values_; }

 private:
  std::map<std::string, OptionValue> values_;
};

struct Method {
  std::string name, summary;
  std::string order, conserves, use, source;
  std::vector<OptionInfo> options;
  std::function<std::unique_ptr<Integrator>(const System&, const NewtonOptions&, const MethodOptions&)> make;
};

const std::vector<Method>& methods();

/// The method of that name; ModelError with the nearest name if there is none.
const Method& find_method(const std::string& name);

/// The choice's options with defaults filled in; ModelError for an unknown option or a value out of range.
MethodOptions complete_options(const Method& method, const IntegratorChoice& choice);

}  // namespace polhode

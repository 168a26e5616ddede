// What a method is to those who choose one: words for people, the table of its options, what it cannot serve, and how
// its integrator is made.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include <polhode/integrate/integrator.hpp>

namespace polhode {

/// The options of a run with a method: a struct that is described as those of models are (describe/field.hpp).
class MethodOptions {
 public:
  /// With their defaults.
  explicit MethodOptions(const Description& of) : description_(&of), data_(of.make()) {}

  template <class Options>
  const Options& as() const {
    return *static_cast<const Options*>(data_.get());
  }
  const Description& description() const { return *description_; }
  void* edit() { return data_.get(); }
  void set(const std::string& word, const OptionValue& value);  ///< one that the description has and allows

  /// Numbers and words of all options, in the order of the alphabet; of two that are one, that which holds.
  std::map<std::string, OptionValue> all() const;

 private:
  const Description* description_;
  std::shared_ptr<void> data_;
};

struct NoOptions {
  bool operator==(const NoOptions&) const = default;
};
template <>
inline constexpr std::array<FieldInfo, 0> fields_of<NoOptions>{};

template <class Options>
inline constexpr Description options_of = describe<Options>("options", "options of an integrator");

/// An option that the user left to the program: what it is on a system, and why.
struct ChosenOption {
  std::string name;
  OptionValue value;
  std::string reason;  ///< in a word or two: "loops"
};

struct Method {
  std::string name, summary;
  std::string order, conserves, use, source;
  const Description* options = &options_of<NoOptions>;
  /// Why the method cannot serve a system with these options: what stands against it, and what to use instead. Nothing
  /// if it can; without this function it serves every system.
  std::function<std::optional<std::string>(const System&, const MethodOptions&)> why_not = {};
  /// Makes the integrator. It does not fail if why_not() has nothing to say.
  std::function<std::unique_ptr<Integrator>(const System&, const NewtonOptions&, const MethodOptions&,
                                            const Resources&)>
      make = {};
  /// Chooses for a system the options that are left to the program (`auto`); without this function there are none. The
  /// two functions above see what was chosen.
  std::function<std::vector<ChosenOption>(const System&, const MethodOptions&)> choose = {};
};

/// A method as its author writes it, with a struct of options of its own:
///     struct BdfOptions { int order = 2; };      and fields_of<BdfOptions>, the table of its words
///     register_method(MethodOf<BdfOptions>{.name = "bdf", ..., .make = make_bdf});
template <class Options>
struct MethodOf {
  std::string name, summary;
  std::string order, conserves, use, source;
  std::function<std::optional<std::string>(const System&, const Options&)> why_not = {};
  std::function<std::unique_ptr<Integrator>(const System&, const NewtonOptions&, const Options&, const Resources&)>
      make = {};
  std::function<std::vector<ChosenOption>(const System&, const Options&)> choose = {};

  operator Method() const {
    Method out{.name = name,
               .summary = summary,
               .order = order,
               .conserves = conserves,
               .use = use,
               .source = source,
               .options = &options_of<Options>};
    if (why_not)
      out.why_not = [f = why_not](const System& system, const MethodOptions& options) {
        return f(system, options.as<Options>());
      };
    if (make)
      out.make = [f = make](const System& system, const NewtonOptions& newton, const MethodOptions& options,
                            const Resources& resources) { return f(system, newton, options.as<Options>(), resources); };
    if (choose)
      out.choose = [f = choose](const System& system, const MethodOptions& options) {
        return f(system, options.as<Options>());
      };
    return out;
  }
};

/// The values of an option that has few: its words, or its numbers.
std::vector<OptionValue> alternatives(const FieldInfo& option);

/// Why a method that takes the inertia of each body alone cannot serve a system, if it cannot.
std::optional<std::string> why_not_tied(const std::string& method, const System& system);

/// Options that several methods have.
template <auto member>
constexpr FieldInfo rho_inf_field() {
  return field<member>("", "spectral radius at infinite frequency: 1 no damping, 0 all in one step",
                       {.allowed = {.least = 0, .most = 1}});
}

}  // namespace polhode

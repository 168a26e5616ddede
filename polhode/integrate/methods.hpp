// The table of all methods. A new integrator of the library is one file and one line here; one of your own is
// registered.
#pragma once

#include <deque>

#include <polhode/describe/finding.hpp>
#include <polhode/integrate/method.hpp>

namespace polhode {

const std::deque<Method>& methods();          ///< of the library, then those that were registered
const std::deque<Method>& library_methods();  ///< of the library alone

/// Adds a method of your own: from then on a model may name it, with its options, as any of the library's. ModelError
/// if its name is taken. Methods stay where they are, references to others remain good; but register before runs begin
/// in other threads.
void register_method(Method method);

/// The method of that name; ModelError with the nearest name if there is none.
const Method& find_method(const std::string& name);

/// What is wrong with a choice: no such method, an unknown option, a value out of range.
Findings check_choice(const IntegratorChoice& choice);

/// The choice's options with defaults filled in; ModelError if anything is wrong with them.
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

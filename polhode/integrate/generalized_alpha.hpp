// The generalized-alpha method on Lie groups, and its relatives.
#pragma once

#include <polhode/integrate/local_motion.hpp>
#include <polhode/integrate/method.hpp>

namespace polhode {

struct GeneralizedAlphaOptions {
  /// Where the parameters come from, all with the spectral radius rho_inf at infinite frequency.
  enum class Settings { chung_hulbert, hht, newmark, trapezoidal };
  enum class Update { exp1, exp2, exp3, cayley, rotation_vector };
  enum class Index { velocity, position };
  enum class Metric { mass, identity };
  enum class Start { improved, printed };

  double rho_inf = 0.9;
  Settings settings = Settings::chung_hulbert;
  Update update = Update::exp1;
  LocalMotionChoice::Group group = LocalMotionChoice::Group::R3xSO3;
  Index index = Index::velocity;  ///< Phi = 0 and B v = 0, stabilised by a second multiplier
  Metric metric = Metric::mass;   ///< of index 2: shifted by M^-1 B^T eta; identity: by B^T eta, as printed
  Start start = Start::improved;  ///< printed: a0 = dv/dt(0)
  bool operator==(const GeneralizedAlphaOptions&) const = default;
};

template <>
inline constexpr auto words<GeneralizedAlphaOptions::Settings> = std::to_array<Word>({
    {"generalized-alpha", "those of Chung and Hulbert"},
    {"hht"},
    {"newmark"},
    {"trapezoidal", "it knows no rho_inf"},
});
template <>
inline constexpr auto words<GeneralizedAlphaOptions::Update> = std::to_array<Word>({
    {"exp1", "one exponential, geom1 of the paper"},
    {"exp2", "two, geom2"},
    {"exp3", "three, geom3"},
    {"cayley", "the Cayley map"},
    {"rotation-vector", "that of the step, the paper's linear method"},
});
template <>
inline constexpr auto words<LocalMotionChoice::Group> = std::to_array<Word>({
    {"R3xSO3", "velocities in space, spin in the body"},
    {"SE3", "both in the body"},
});
template <>
inline constexpr auto words<GeneralizedAlphaOptions::Index> = std::to_array<Word>({
    {"2", "constraints at position and velocity level"},
    {"3",
     "at position level alone, as in most papers: unstable with joints at larger steps, and at all if rho_inf is 1"},
});
template <>
inline constexpr auto words<GeneralizedAlphaOptions::Metric> = std::to_array<Word>({
    {"mass", "by M^-1 B^T eta, whatever the units"},
    {"identity", "by B^T eta, as in papers"},
});
template <>
inline constexpr auto words<GeneralizedAlphaOptions::Start> = std::to_array<Word>({
    {"improved", "starting values that keep second order for the multipliers"},
    {"printed", "as in the paper"},
});
template <>
inline constexpr auto fields_of<GeneralizedAlphaOptions> =
    fields(rho_inf_field<&GeneralizedAlphaOptions::rho_inf>(),
           field<&GeneralizedAlphaOptions::settings>("", "whose parameters"),
           field<&GeneralizedAlphaOptions::update>("", "how rotations are composed"),
           field<&GeneralizedAlphaOptions::group>("", ""), field<&GeneralizedAlphaOptions::index>("", ""),
           field<&GeneralizedAlphaOptions::metric>("", "how index 2 shifts the configuration"),
           field<&GeneralizedAlphaOptions::start>("", ""));

/// Bruls & Cardona 2010, for any model. See docs/methods/generalized-alpha.md.
std::unique_ptr<Integrator> make_generalized_alpha(const System& system, const NewtonOptions& newton,
                                                   const GeneralizedAlphaOptions& options,
                                                   const Resources& resources = {});

Method generalized_alpha_method();

}  // namespace polhode

// The page on Geradin: what had to be corrected, and each claim of the paper beside what was measured.
#include <fmt/format.h>

#include <polhode/papers/geradin_studies.hpp>

namespace polhode::papers::geradin {
namespace {

const char* const errata =
    "The figures of the paper are not in the text that we have, and it gives neither the step nor the duration: h = "
    "0.01 s and 2 s are ours. "
    "All that is compared are its written statements. What had to be corrected or completed:\n\n"
    "| where | printed | right |\n| --- | --- | --- |\n"
    "| (57), (61) | $\\Omega_{1/2} = \\tfrac12(\\Omega_n + \\Omega_{n+1})$ | false under (29), which takes the mean of "
    "the spatial momenta: "
    "$J\\Omega_{n+1} = 2G^TJ\\Omega_{1/2} - G^TG^TJ\\Omega_n$. See energy below |\n"
    "| (14), (20), (21) | a dot over $\\Omega$ | none |\n"
    "| after (16) | $g = (0, 0, g)$ | $(0, 0, -g)$, so that $V = +mgx_3$ |\n"
    "| (56) | $\\Omega = 2/(4-a_0)\\,G\\dot a$ | $G^T$ for components in the body |\n"
    "| (61), $A_2$ | $R_n^T$ missing | |\n"
    "| (71), $S_{ee}$ | $\\tfrac4{h^2}\\,\\partial G/\\partial e_i\\,J$ | $\\ldots J e$ |\n"
    "| box | while $t_n < h$; $v_0 = R_0\\Omega_0X$; updating at $t_{n+1/2}$ | $t_n < t_{end}$; "
    "$R_0\\tilde\\Omega_0X$; $t_{n+1}$ |\n"
    "| rates of Euler's angles, (3, 2) | $+\\cos\\psi\\cos\\theta/\\sin\\theta$ | $-$ |\n"
    "| initial data | $\\dot\\phi_0 = 0$ among the angles | $\\psi_0 = 0$ |\n"
    "| captions | $\\dot\\psi_0 = \\dot\\phi_0$ = 0, -10 rad/s | $\\dot\\psi_0$ = 50, $\\dot\\phi_0$ = 0, -10 rad/s, "
    "as in the text |\n\n"
    "No body has these moments of inertia: 1.8 > 0.8 + 0.8. The equations do not mind.";

}  // namespace

Page page(const Progress& progress) try {
  Page out;
  out.name = "geradin";
  out.title = "Energy conserving integration of a top: Géradin";
  out.citation =
      "M. Géradin, *Energy conserving time integration for multibody dynamics, application to top motion*, Université "
      "de Liège "
      "(mid-1990s), numerical application.";
  out.summary =
      "A midpoint rule with half rotations, for a symmetric top on a point. `variant: published` is the rule as "
      "printed: it does not keep energy. "
      "`variant: corrected` does; it differs in one line, the mean of what is taken at mid-step. Both run on any model "
      "([the method](../../methods/geradin.md)). Errors are against the motion itself, which agrees with elliptic "
      "functions to 1e-12 m. "
      "The numbers of the first step and after 2 s agree with an independent implementation to 9 digits.";
  out.sections.push_back({"What had to be corrected", errata, {}, {}, {}});

  tell(progress, "geradin: responses");
  Section responses{"Numerical application: figures 1 and 2",
                    "Case 1: the top spins at 50 rad/s about its axis, 60 degrees from the vertical, and is let go. "
                    "Case 2: it is thrown with a precession of -10 rad/s as well.",
                    {first_steps(), ends()},
                    {},
                    {}};
  for (const Top& top : tops)
    responses.drawings.push_back(
        response(top, run(top.model, method("published"), 1e-2, 2), run(top.model, method("corrected"), 1e-2, 2)));
  const Nutations nutation = nutations();
  responses.tables.push_back(nutation.table);
  responses.claims = {
      {"numerical application", "the periodic character of the motion is perfectly preserved",
       fmt::format("over 10 s at h = 0.01 s the largest inclinations differ by at most {:.1e} rad from swing to swing; "
                   "the period itself is wrong by up to {:.1e} relative",
                   nutation.spread, nutation.period_error),
       nutation.spread < 1e-3 && nutation.period_error < 1e-6 ? Claim::Verdict::confirmed : Claim::Verdict::in_part}};
  out.sections.push_back(std::move(responses));

  const EnergyStudy energy = energies(progress);
  const Motion thrown = run(case_2, method("published"), 1e-2, 2);
  const double frozen = frozen_energy_error(case_2, thrown);
  Section energies_section{
      "Energy",
      fmt::format("The published rule defines the mid-step by the mean of the spatial momenta (29), its proof of "
                  "conservation by the mean of the angular velocities in the body (61). "
                  "These are the same only if J is spherical or the spin stays about a principal axis. What it does "
                  "keep in each step is the energy with the inertia frozen at mid-step, "
                  "$\\tfrac12 h^TR_mJ^{{-1}}R_m^Th$ in place of $\\tfrac12\\Omega^TJ\\Omega$: to {:.0e} J here; but "
                  "that is not a function of the state, so it adds up to nothing. "
                  "With $\\Omega_{{n+1}} = \\tfrac4h e - \\Omega_n$ and $h_{{n+1}} = R_{{n+1}}J\\Omega_{{n+1}}$ "
                  "(`corrected`) the proof holds.",
                  frozen),
      {energy.table},
      {energy.drawing},
      {}};
  energies_section.claims = {
      {"numerical application", "the total energy is obviously conserved",
       fmt::format("published, h = 0.01 s: to {:.2e} (case 1) and {:.2e} (case 2) relative, of order {:.2f} in h; "
                   "bounded: over 10 s {:.2e} (case 2)",
                   energy.published[0], energy.published[1], energy.order, energy.over_ten_seconds),
       judged(energy.published[0] < 1e-10 && energy.published[1] < 1e-10)},
      {"(60) to (62)", "the midpoint rule automatically guarantees the conservation of energy",
       fmt::format("the equations as printed: {:.1e} for an asymmetric top; for a spherical one {:.0e}. Corrected: "
                   "{:.0e}, {:.0e} (cases 1, 2)",
                   energy.asymmetric_published, energy.spherical_published, energy.corrected[0], energy.corrected[1]),
       judged(energy.asymmetric_published < 1e-10)},
      newmark_claim()};
  out.sections.push_back(std::move(energies_section));

  tell(progress, "geradin: what is kept and lost");
  const Lost lost = kept_and_lost();
  Section constraints{"Constraints, momentum, forces",
                      "$R_{n+1} - R_n = 2R_{n+1/2}\\tilde e$ holds exactly, so that the condition (67) on velocities "
                      "at mid-step, $x_{n+1} - x_n = 2R_{n+1/2}\\tilde eX$, *is* "
                      "the constraint at the end of the step. Here $\\Phi_{n+1} = 0$ is solved. Velocities at the ends "
                      "of steps are extrapolated and meet the constraint to second order only. "
                      "The vertical angular momentum, which the paper does not mention, is lost to second order, "
                      "because $R_{n+1/2}X$ is not the mean of the two ends; "
                      "[energy-momentum](../../methods/energy-momentum.md), with $2\\tan(\\varphi/2)$ in place of "
                      "$2\\sin(\\varphi/2)$, keeps it.",
                      {lost.table},
                      {},
                      {}};
  const Forces force = forces();
  constraints.tables.push_back(force.table);
  constraints.claims = {
      {"numerical application", "the drift of the constraints remains extremely small, 2e-7 at most",
       fmt::format("{:.0e} m at most: no drift, rounding", lost.drift), judged(lost.drift < 2e-7)},
      {"numerical application", "although they are satisfied only in weak form",
       "they are satisfied as they stand: (67) is their increment, exactly", Claim::Verdict::not_confirmed},
      {"numerical application", "the small drift is a further consequence of energy conservation",
       fmt::format("the published rule has none either, and loses {:.1e} of its energy", energy.published[1]),
       judged(energy.published[1] < 1e-10)},
      {"introduction",
       "verifying the derivative of the constraints at mid-point is somewhat equivalent to reducing the index by one",
       fmt::format("it is the constraint at position level; velocities at the ends of steps violate it by up to {:.2f} "
                   "m/s (case 2, h = 0.01 s)",
                   lost.published_velocity),
       Claim::Verdict::not_confirmed},
      {"(18)", "the multipliers may be interpreted as the reaction forces at the attachment point",
       fmt::format("lambda as it comes alternates about the force: order {:.2f}; the mean of two that follow each "
                   "other: order {:.2f}",
                   force.raw_order, force.mean_order),
       Claim::Verdict::in_part}};
  out.sections.push_back(std::move(constraints));

  const AccuracyStudy errors = accuracy(progress);
  Section accuracies{"Accuracy", "", {errors.table}, {errors.drawing}, {}};
  accuracies.claims = {{"abstract", "second-order accurate",
                        fmt::format("orders {:.3f} to {:.3f}", errors.least, errors.most),
                        judged(errors.least > 1.9 && errors.most < 2.1)}};
  out.sections.push_back(std::move(accuracies));

  tell(progress, "geradin: parametrisations");
  const Parametrisations both = parametrisations_compared();
  Section parameters{"Euler parameters and conformal rotation vector",
                     "A change of unknowns, $e = a/(2 + |a|^2/8)$: the same equations, hence the same motion, and the "
                     "same limit: $2e/h = \\Omega_{1/2}$ has a solution only for $h|\\Omega_{1/2}| < 2$, "
                     "115 degrees of true rotation a step.",
                     {both.table},
                     {},
                     {}};
  parameters.claims = {
      {"(57) to (59)", "both yield very similar expressions",
       fmt::format("the same motion: x and R differ by at most {:.0e} over 2 s; {}", both.difference,
                   both.same_iterations ? "iterations within 5%" : "iterations differ"),
       judged(both.difference < 1e-11)},
      {"(59)", "Euler parameters are of even greater simplicity",
       "a matter of taste: two lines of code more for the conformal vector", Claim::Verdict::not_tested},
      {"conclusion",
       "automatic time stepping, flexible systems, an energy-decaying scheme are still to be investigated",
       "not part of this paper; see the other methods", Claim::Verdict::not_tested}};
  out.sections.push_back(std::move(parameters));

  out.models = {case_1, case_2, asymmetric};
  out.commands = {
      "polhode run models/geradin_top_2.json --step 0.01 --end-time 2 --integrator.name geradin --integrator.variant "
      "published",
      "polhode compare models/geradin_top_2.json --end-time 2 --steps 0.01,0.005 --integrator \"geradin "
      "variant=published\" --integrator \"geradin variant=corrected\" --integrator energy-momentum",
      "polhode converge models/geradin_top_1.json --end-time 2 --integrator geradin --steps 0.01,0.005,0.0025,0.00125"};
  return out;
} catch (const Interrupted&) {
  return {};
}

}  // namespace polhode::papers::geradin

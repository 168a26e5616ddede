// The page on Nielsen & Krenk: what had to be supplied or corrected, and each claim of section 6 beside what was
// measured.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <polhode/papers/nielsen_krenk_studies.hpp>

namespace polhode::papers::nielsen_krenk {
namespace {

const char* const supplied =
    "The figures are not in the text that we have; it does not say how long the chains are followed, nor where the "
    "chain hangs. Ours: the first joint is at the "
    "origin, joints are at the ends of the boxes, a body at the angle theta_1 hangs along (0, sin theta_1, -cos "
    "theta_1), and 6.2 is turned by pi/4 about x2; 10 s and 30 s. "
    "The mirror image would do as well.\n\n"
    "Read or corrected ([findings](../../findings.md#nielsen--krenk-2013) has the evidence):\n\n"
    "| where | printed | right |\n| --- | --- | --- |\n"
    "| (23), (24), (27), (28) | overbars that end over a letter | cover the products $G(q)p$, $G(p)q$: means of "
    "products |\n"
    "| (23), (24) | $= \\partial H_*/\\partial p$ | times $h$ |\n"
    "| (21), (28) | $\\mathbb J^{-1}$ | $\\mathbb J_0^{-1}$ |\n"
    "| before (26) | incremental form of (3) | of (18) |\n"
    "| section 5 | equations (23) and (28) | (23) and (27) |\n"
    "| (25) | $\\Delta\\Phi = 0$ | $\\Phi(q_{n+1}) = 0$: the same, but tolerances do not add up |\n"
    "| (32) | symmetric | not in Newton's form: force columns belong to the middle of the step, constraint rows to its "
    "end |\n"
    "| (39) | $V = \\sum M g^Tq_0$ with $g = (0, 0, -g)$ | $V = -\\sum M g^Tq_0$ |\n"
    "| 6.1, on Fig. 4(b) | spherical joints, (34) | revolute joints, (37) |\n"
    "| Table 1 | | the update comes before the test, as printed; whoever tests first loses 3.3e-7 J (6.1) and 1.3e-6 J "
    "(6.2): docs/findings/table_1.py |";

}  // namespace

Page page(const Progress& progress) try {
  Page out;
  out.name = "nielsen-krenk";
  out.title = "Directors with implicit constraints: Nielsen & Krenk";
  out.citation =
      "M. B. Nielsen, S. Krenk, *Multibody motion in implicitly constrained director format with links via explicit "
      "constraints*, "
      "Proceedings of ECCOMAS Multibody Dynamics 2013, 231-240, section 6.";
  out.summary =
      "A chain of four boxes, on revolute and on spherical joints. Integrator `director` is the scheme in the paper's "
      "variables, 12 directors and 12 momenta a body "
      "([the method](../../methods/director.md)); [energy-momentum](../../methods/energy-momentum.md) is the same "
      "motion from 6 unknowns a body. Positions to t = 5 s have 8 digits "
      "of an independent implementation; the motion is chaotic, and later ones depend on rounding.";
  out.sections.push_back({"What had to be supplied or corrected", supplied, {}, {}, {}});
  out.sections.push_back({"Digits of the scheme", "", {positions(progress)}, {}, {}});

  Table kept{"conservation",
             "Largest errors with the paper's tolerance of 1e-8; energy also relative to the largest kinetic energy, "
             "l3 to the largest |l|; most iterations in a step",
             {"example", "h [s]", "to [s]", "energy [J]", "relative", "l3 [N m s]", "relative", "e", "C(q)p [kg m/s]",
              "Phi", "iterations"},
             {}};
  std::vector<Motion> motions;
  for (const Example& e : examples()) {
    tell(progress, fmt::format("nielsen-krenk: {}, {} joints", e.name, e.joints));
    motions.push_back(run(e, director(), e.step, e.end_time, paper_tolerance));
    kept.rows.push_back(row_of(e, motions.back()));
  }
  const Sizes unknowns = sizes();
  const Figures plane = figures_of(motions[0]), space = figures_of(motions[1]);
  const auto within = [](double value, double relative, double bound) {
    return value < bound      ? Claim::Verdict::confirmed
           : relative < bound ? Claim::Verdict::in_part
                              : Claim::Verdict::not_confirmed;
  };
  const auto energy_text = [](const Figures& f) {
    return fmt::format(
        "{:.1e} J, {:.1e} relative: as an absolute figure 1e-12 is less than the rounding of energies near 1000 J",
        f.energy, f.relative);
  };
  const auto constraints_text = [](const Figures& f) {
    return fmt::format("e {:.1e}, C(q)p {:.1e} kg m/s, Phi {:.1e}; tolerance 1e-8", f.e, f.Cp, f.Phi);
  };
  const auto constraints_hold = [](const Figures& f) { return judged(std::max({f.e, f.Cp, f.Phi}) < 1e-8); };

  Section one{"6.1 Hanging chain with revolute joints",
              "",
              {kept},
              {snapshots(examples()[0], motions[0]), conservation(examples()[0], motions[0])},
              {}};
  one.claims = {{"6.1", "energy is conserved within 1e-12, well below the tolerance of 1e-8", energy_text(plane),
                 within(plane.energy, plane.relative, 1e-12)},
                {"6.1", "l1 is the only component of the angular momentum that is not zero",
                 fmt::format("l2, l3 at most {:.1e} N m s", plane.l_other), judged(plane.l_other < 1e-9)},
                {"6.1", "zero strain, C(q)p = 0 and the joints are satisfied to below the tolerance",
                 constraints_text(plane), constraints_hold(plane)},
                {"6.1", "the system has 12 n + m = 68 unknowns",
                 "116: q and p are both unknown, as (29) has it. With 6 a body: 44", Claim::Verdict::not_confirmed}};
  out.sections.push_back(std::move(one));

  Section two{"6.2 Hanging chain with spherical joints",
              "",
              {},
              {snapshots(examples()[1], motions[1]), conservation(examples()[1], motions[1])},
              {}};
  two.claims = {
      {"6.2", "energy is conserved within 1e-12 at h = 0.1 s", energy_text(space),
       within(space.energy, space.relative, 1e-12)},
      {"6.2", "l3 is conserved within 1e-10", fmt::format("{:.1e} N m s", space.l3), judged(space.l3 < 1e-10)},
      {"6.2", "internal and external constraints are satisfied to well below the tolerance", constraints_text(space),
       constraints_hold(space)},
      {"6.2", "12 n + m = 60 unknowns", "108; with 6 a body 36", Claim::Verdict::not_confirmed}};
  out.sections.push_back(std::move(two));

  Accuracy errors = accuracy(progress);
  tell(progress, "nielsen-krenk: two stopping rules");
  for (std::size_t k = 0; k < motions.size(); ++k) errors.drawing.panels.push_back(chaos(examples()[k], motions[k]));
  Section rest{
      "Accuracy, and the same motion from fewer unknowns", "", {errors.table, unknowns.table}, {errors.drawing}, {}};
  rest.claims = {
      {"abstract", "the examples demonstrate the accuracy of the algorithm",
       fmt::format("order {:.2f} (6.1) and {:.2f} (6.2) at t = 1 s", errors.orders[0], errors.orders[1]),
       judged(std::abs(errors.orders[0] - 2) < 0.1 && std::abs(errors.orders[1] - 2) < 0.1)},
      {"sections 1, 5",
       "multipliers of the internal constraints can be eliminated; 12 coordinates and 12 momenta a body remain",
       fmt::format("6 a body are enough: energy-momentum differs by at most {:.0e} m in the first second",
                   unknowns.difference),
       judged(unknowns.difference < 1e-12)},
      {"after (28)", "gamma_0 is needed for ensuring the conservative properties",
       "without it only C(q)p = 0 is lost, and in a plane nothing; code changed for the trial, see "
       "docs/methods/director.md",
       Claim::Verdict::not_confirmed},
      {"(32)", "the matrix is symmetric with h taken into lambda", "it is not in Newton's form, by derivation",
       Claim::Verdict::not_confirmed},
      {"abstract", "the examples demonstrate the efficiency of the algorithm",
       "the paper gives no times; here director takes some 20 times as long as energy-momentum",
       Claim::Verdict::not_tested}};
  out.sections.push_back(std::move(rest));

  for (const Example& e : examples()) out.models.push_back(e.model);
  out.commands = {
      "polhode run models/chain_revolute.json --integrator.name director --newton.tolerance 1e-8",
      "polhode run models/chain_spherical.json --integrator.name director --newton.tolerance 1e-8 --end-time 5 --json "
      "-o none",
      "polhode compare models/chain_spherical.json --end-time 1 --integrator director --integrator energy-momentum",
      "polhode converge models/chain_spherical.json --end-time 1 --integrator director"};
  return out;
} catch (const Interrupted&) {
  return {};
}

}  // namespace polhode::papers::nielsen_krenk

// Constraints, and the rows of all elements, at a configuration: residuals, Jacobians and their rates.
#include <algorithm>
#include <iterator>

#include <polhode/model/kinks.hpp>
#include <polhode/system/own_rows.hpp>

namespace polhode {

void System::residual(std::span<const Frame> frames, std::span<const double> angles, double t, std::span<double> phi,
                      ThreadPool* pool) const {
  start_residual(t, phi);
  in_tasks(pool, [&](int task) {
    for (const auto& rows : elements.rows) rows->residual(task, frames, angles, phi);
  });
}

void System::jacobian(std::span<const Frame> frames, std::span<const double>, ConstraintJacobian& B,
                      ThreadPool* pool) const {
  B.system = this;
  B.values.assign(jacobian_size, 0.0);
  in_tasks(pool, [&](int task) {
    for (const auto& rows : elements.rows) rows->jacobian(task, *this, frames, B);
  });
}

void System::jacobian_rate(std::span<const Frame> frames, std::span<const double>, std::span<const Vec6> V,
                           ConstraintJacobian& D, ThreadPool* pool) const {
  D.system = this;
  D.values.assign(jacobian_size, 0.0);
  in_tasks(pool, [&](int task) {
    for (const auto& rows : elements.rows) rows->jacobian_rate(task, *this, frames, V, D);
  });
}

void System::strain_rows(std::span<const Frame> frames, std::span<Rows<6>> Y, const ElementSet* extra) const {
  for (const auto& laws : elements.laws) laws->strain_rows(*this, frames, Y);
  if (extra)
    for (const auto& laws : extra->laws) laws->strain_rows(*this, frames, Y);
}

std::vector<GroundRow> System::ground_rows(std::span<const Frame> frames) const {
  std::vector<GroundRow> found, ties(row_count, GroundRow::Zero());
  for (const auto& rows : elements.rows) rows->add_ground_rows(frames, ground(), found, ties);
  std::copy_if(ties.begin(), ties.end(), std::back_inserter(found), [](const GroundRow& row) { return !row.isZero(); });
  std::vector<Rows<6>> strains(law_count(), {Mat6::Zero(), Mat6::Zero()});
  strain_rows(frames, strains);
  elements.for_each_law([&](const LawArray& laws, int k) {
    const auto& [a, b] = laws.element(k).pair;
    if (a.node != ground() && b.node != ground()) return;
    const LawProperties law = laws.properties(k);
    const Rows<6>& own = strains[laws.first + k];
    for (int i = 0; i < law.size; ++i)
      if (law.computed || law.loaded || !law.stiffness.col(i).isZero(0) || !law.damping.col(i).isZero(0))
        found.push_back((a.node == ground() ? own.a : own.b).row(i));
  });
  return found;
}

void System::velocity_residual(const ConstraintJacobian& B, std::span<const Vec6> V, double t, std::span<double> rate,
                               ThreadPool* pool) const {
  start_rates(t, rate);
  division(pool).for_each(static_cast<int>(blocks.size()), [&](int b) {
    const ConstraintBlock& c = blocks[b];
    Eigen::Map<VecX> r(&rate[c.first_row], c.rows);
    for (std::size_t k = 0; k < c.nodes.size(); ++k)
      r.noalias() += block(B, b, static_cast<int>(k)) * gather(c.nodes[k], V[c.nodes[k]]);
  });
}

void System::velocity_residual(std::span<const Frame> frames, std::span<const Vec6> V, double t, std::span<double> rate,
                               ThreadPool* pool) const {
  start_rates(t, rate);
  in_tasks(pool, [&](int task) {
    for (const auto& rows : elements.rows) rows->add_rates(task, frames, V, rate);
  });
}

void System::start_rates(double t, std::span<double> rate) const {
  std::fill(rate.begin(), rate.end(), 0.0);
  for (const GivenRow& given : given_rows) rate[given.row] = -rate_at_end(functions[given.function], t);
}

}  // namespace polhode

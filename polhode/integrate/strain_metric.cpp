#include <polhode/integrate/strain_metric.hpp>

#include <algorithm>
#include <utility>

namespace polhode {

StrainMetric::StrainMetric(const System& system, const ElementSet* extra) : system_(system), extra_(extra) {
  for_each_law(system, extra, [&](const LawArray& laws, int k) {
    const LawProperties law = laws.properties(k);
    const Pair& pair = laws.element(k).pair;
    parts.push_back({pair.a.node, pair.b.node, law.size, law.stiffness, !law.stiffness.isZero()});
  });
  Y.assign(parts.size(), {Mat6::Zero(), Mat6::Zero()});
}

bool StrainMetric::empty() const {
  return std::none_of(parts.begin(), parts.end(), [](const Part& part) { return part.stiff; });
}

Vec6 StrainMetric::strain(int k, const VecX& u) const {
  Vec6 y = Vec6::Zero();
  if (parts[k].a < system_.ground()) y += Y[k].a * u.segment<6>(6 * parts[k].a);
  if (parts[k].b < system_.ground()) y += Y[k].b * u.segment<6>(6 * parts[k].b);
  return y;
}

void StrainMetric::add_force(int k, const Vec6& stress, VecX& f) const {
  if (parts[k].a < system_.ground()) f.segment<6>(6 * parts[k].a) += Y[k].a.transpose() * stress;
  if (parts[k].b < system_.ground()) f.segment<6>(6 * parts[k].b) += Y[k].b.transpose() * stress;
}

double StrainMetric::largest_square_frequency(std::span<const Frame> q) const {
  double largest = 0;
  for (std::size_t k = 0; k < parts.size(); ++k) {
    const Part& part = parts[k];
    if (!part.stiff) continue;
    double trace = 0;
    for (const auto& [i, rows] : {std::pair{part.a, &Y[k].a}, {part.b, &Y[k].b}})
      if (i < system_.ground())
        trace += (part.C * *rows * system_.inertia[i].inverse(q[i].d) * rows->transpose()).trace();
    largest = std::max(largest, trace);
  }
  return largest;
}

double StrainMetric::square(const VecX& u) const {
  double sum = 0;
  for (int k = 0; k < static_cast<int>(parts.size()); ++k)
    if (parts[k].stiff) sum += parts[k].square(strain(k, u));
  return sum;
}

Mat6 StrainMetric::product(const Part& part, const Mat6& left, const Mat6& right) {
  if (part.size == 1) return (part.C(0, 0) * left.row(0).transpose()) * right.row(0);
  return left.transpose() * part.C * right;
}

StrainMass::StrainMass(const System& system, const ElementSet* extra, ThreadPool* pool)
    : system_(system), extra_(extra), plan_(system.plan(1, extra)), lu_(plan_.pattern, system.division(pool)) {
  system.find_slots(plan_, lu_.matrix(), extra);
  work_.resize(lu_.matrix().rows());
}

bool StrainMass::factor(std::span<const Frame> q, const StrainMetric& metric, double c, const ConstraintJacobian& B) {
  BlockMatrix& A = lu_.matrix();
  A.set_zero();
  add_mass_matrix(system_, q, 1, plan_, A);
  int place = 0;
  for_each_law(system_, extra_, [&](const LawArray& laws, int k) {
    const StrainMetric::Part& part = metric.parts[place];
    const Rows<6>& Y = metric.Y[place++];
    if (!part.stiff) return;
    const ElementSlots& slots = plan_.elements[laws.element(k).index];
    const auto add = [&](Slot slot, const Mat6& left, const Mat6& right) {
      if (slot >= 0) Eigen::Map<Mat6>(A.values().data() + slot) += c * StrainMetric::product(part, left, right);
    };
    add(slots.aa, Y.a, Y.a);
    add(slots.ab, Y.a, Y.b);
    add(slots.ba, Y.b, Y.a);
    add(slots.bb, Y.b, Y.b);
  });
  if (system_.row_count > 0) set_constraints(B, B, 0, system_.node_count(), A);
  return lu_.factor();
}

void StrainMass::solve(VecX& u, VecX& mu) {
  work_ << u, mu;
  lu_.solve(work_);
  u = work_.head(u.size());
  mu = work_.tail(mu.size());
}

}  // namespace polhode

#include <polhode/integrate/workspace.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <polhode/solve/huge_pages.hpp>

namespace polhode {
namespace {

/// Whether some energy or load is computed by a program.
bool has_computed_forces(const System& system) {
  bool any = !system.wrenches.empty();
  system.elements.for_each_law([&](const LawArray& laws, int k) { any = any || laws.properties(k).computed; });
  return any;
}

}  // namespace

Workspace::Workspace(const System& s, AssemblyPlan own, const Resources& lent, const ElementSet* extra)
    : system(s),
      resources(lent),
      division(s.division(lent.pool.get())),
      plan(std::move(own)),
      lu(plan.pattern, division) {
  s.find_slots(plan, lu.matrix(), extra);
  plan.pattern = {};  // all slots are known
  const std::size_t n = s.nodes.size() + 1;
  for (std::vector<Frame>* frames : {&start, &end}) {
    reserve_huge(*frames, n);
    frames->resize(n);
  }
  reserve_huge(force, n);
  force.resize(n);
  phi = VecX::Zero(s.row_count);
  rhs = VecX::Zero(lu.matrix().rows());
  settle_huge(phi);
  settle_huge(rhs);
  whole_tangent = !has_computed_forces(s);
}

void Workspace::set_rhs() {
  for (int i = 0; i < system.node_count(); ++i) rhs.segment<6>(6 * i) = -system.gather(i, force[i]);
  rhs.segment(6 * system.node_count(), system.row_count) = -phi;
}

double Workspace::residual() const {
  const auto largest = [](const auto& part) { return part.size() > 0 ? part.cwiseAbs().maxCoeff() : 0.0; };
  double all = 0;
  if (division.parts == 1) {
    all = largest(phi);
  } else {
    std::array<double, Division::most> found;
    division.run(division.parts, [&](int p) {
      const std::int64_t first = division.begin(phi.size(), p), next = division.begin(phi.size(), p + 1);
      found[p] = largest(phi.segment(first, next - first));
    });
    for (int p = 0; p < division.parts; ++p) all = std::max(found[p], all);
  }
  return all / std::max(1.0, system.length);
}

bool Workspace::solution_is_finite() const {
  if (division.parts == 1) return std::isfinite(rhs.sum());  // a sum shows what is not a number
  std::array<bool, Division::most> found;
  division.run(division.parts, [&](int p) {
    const std::int64_t first = division.begin(rhs.size(), p), next = division.begin(rhs.size(), p + 1);
    found[p] = std::isfinite(rhs.segment(first, next - first).sum());
  });
  return std::all_of(found.begin(), found.begin() + division.parts, [](bool finite) { return finite; });
}

bool solve_sparse(const System& system, const BlockLU& lu, VecX& rhs) {
  std::vector<int> closing;
  for (int group = system.node_count(); group < lu.matrix().groups(); ++group)
    if (lu.is_closing(group)) closing.push_back(group);
  SparseLU sparse;
  if (!sparse.factor(lu.matrix(), closing)) return false;
  sparse.solve(rhs);
  return rhs.allFinite();
}

double rounding_of_places(const System& system, const State& state) {
  double place = 0, least = std::numeric_limits<double>::infinity();
  for (int i = 0; i < system.node_count(); ++i) {
    const BodyInertia& body = system.inertia[i];
    place = std::max(place, state.nodes[i].x.cwiseAbs().maxCoeff());
    if (body.rotates && body.mass > 0) least = std::min(least, body.J.trace() / body.mass);
  }
  return std::numeric_limits<double>::epsilon() * place / std::sqrt(least);
}

void ask_for_multipliers(const System& system, const BlockMatrix& A, VecX& lambda, VecX& rhs) {
  const int n = system.node_count();
  for (int c = 0; c < static_cast<int>(system.blocks.size()); ++c) {
    const ConstraintBlock& block = system.blocks[c];
    for (const int i : block.nodes)
      rhs.segment(A.offset(i), A.size(i)).noalias() +=
          Eigen::Map<const MatX>(A.values().data() + A.find(i, n + c), A.size(i), block.rows) *
          lambda.segment(block.first_row, block.rows);
  }
  lambda.setZero();
}

void name_the_worst(const System& system, const VecX& phi, StepReport& report) {
  for (int b = 0; b < static_cast<int>(system.blocks.size()); ++b) {
    const auto& block = system.blocks[b];
    const double size = block.rows ? phi.segment(block.first_row, block.rows).cwiseAbs().maxCoeff() : 0.0;
    if (!(size <= report.worst_residual)) {
      report.worst_residual = size;
      report.worst_block = b;
    }
  }
}

}  // namespace polhode

#include <polhode/integrate/workspace.hpp>

namespace polhode {
namespace {

/// Whether some energy or load is computed by a program.
bool has_computed_forces(const System& system) {
  bool any = !system.wrenches.empty();
  for_each_element(system.elastic, [&](const auto& e) { any = any || e.potential || e.load; });
  return any;
}

}  // namespace

Workspace::Workspace(const System& s, AssemblyPlan own) : system(s), plan(std::move(own)), lu(plan.pattern) {
  s.find_slots(plan, lu.matrix());
  const std::size_t n = s.nodes.size() + 1;
  start.resize(n);
  mid.resize(n);
  end.resize(n);
  force.resize(n);
  phi = VecX::Zero(s.row_count);
  rhs = VecX::Zero(lu.matrix().rows());
  whole_tangent = !has_computed_forces(s);
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

// Constraints, and the rows of all elements, at a configuration: residuals, Jacobians and their rates.
#include <algorithm>
#include <iterator>

#include <polhode/system/own_rows.hpp>

namespace polhode {

void System::residual(std::span<const Frame> frames, std::span<const double> angles, double t, std::span<double> phi,
                      ThreadPool* pool) const {
  start_residual(t, phi);
  in_tasks(pool, [&](int task) {
    ElementTasks::for_each(joints, tasks.joints, task, [&](const auto& e, int) {
      using Z = typename std::decay_t<decltype(e)>::Z;
      const PairAt at = Z::at(e.pair, frames[e.pair.a.node], frames[e.pair.b.node]);
      Eigen::Map<typename Z::Z> own(&phi[e.place.first]);
      own = e.weight * (Z::z(at) - e.reference);
    });
    ElementTasks::for_each(coordinate_rows, tasks.coordinate_rows, task, [&](const auto& e, int) {
      using C = typename std::decay_t<decltype(e)>::Coordinate;
      const PairAt at(e.pair, frames[e.pair.a.node], frames[e.pair.b.node]);
      phi[e.place.first] += e.factor * C::value(C::Z::z(at), C::counted ? angles[e.angle] : 0);
    });
  });
}

namespace {

/// Adds the rows of an element to the m x 6 blocks of its constraint block.
template <int m>
void add_to_jacobian(const System& system, const Element& e, const RowPlace& place, Rows<m> rows, ConstraintJacobian& B) {
  const ConstraintBlock& block = system.blocks[place.block];
  const auto add = [&](int k, int node, Eigen::Matrix<double, m, 6>& part) {
    if (k < 0) return;
    reduce_columns(system.nodes[node], part);
    double* const to = B.values.data() + system.block_of_jacobian[block.first_block + k] + place.row;
    put_strided<false>(part, to, block.rows);
  };
  add(place.node_a, e.pair.a.node, rows.a);
  add(place.node_b, e.pair.b.node, rows.b);
}

}  // namespace

void System::jacobian(std::span<const Frame> frames, std::span<const double>, ConstraintJacobian& B, ThreadPool* pool) const {
  B.values.assign(jacobian_size, 0.0);
  in_tasks(pool, [&](int task) {
    ElementTasks::for_each(joints, tasks.joints, task, [&](const auto& e, int) {
      using Z = typename std::decay_t<decltype(e)>::Z;
      auto rows = Z::rows(PairAt(e.pair, frames[e.pair.a.node], frames[e.pair.b.node]));
      rows.a *= e.weight, rows.b *= e.weight;
      add_to_jacobian(*this, e, e.place, rows, B);
    });
    ElementTasks::for_each(coordinate_rows, tasks.coordinate_rows, task, [&](const auto& e, int) {
      using C = typename std::decay_t<decltype(e)>::Coordinate;
      const PairAt at(e.pair, frames[e.pair.a.node], frames[e.pair.b.node]);
      const auto z = C::Z::z(at);
      const auto rows = C::Z::rows(at);
      const typename C::Z::Z g = e.factor * C::secant(z, z, 0).g1;
      add_to_jacobian<1>(*this, e, e.place, {transposed_times(g, rows.a), transposed_times(g, rows.b)}, B);
    });
  });
}

int System::elastic_count() const {
  return std::apply([](const auto&... array) { return static_cast<int>((array.size() + ...)); }, elastic);
}

void System::strain_rows(std::span<const Frame> frames, std::span<Rows<6>> Y, const ExtraElements* extra) const {
  int place = 0;
  for_each_elastic(*this, extra, [&](const auto& e) {
    using M = typename std::decay_t<decltype(e)>::Measure;
    const PairAt at(e.pair, frames[e.pair.a.node], frames[e.pair.b.node]);
    const auto z = M::Z::z(at);
    set_strain_rows<M::size, M::Z::size>(*this, e, M::secant(z, z, 0).g1, M::Z::rows(at), Y[place++]);
  });
}

std::vector<Eigen::Matrix<double, 1, 6>> System::ground_rows(std::span<const Frame> frames) const {
  using Row = Eigen::Matrix<double, 1, 6>;
  std::vector<Row> found;
  const auto touches = [&](const Element& e) { return e.pair.a.node == ground() || e.pair.b.node == ground(); };
  const auto on_ground = [&](const Element& e, const auto& rows) { return e.pair.a.node == ground() ? rows.a : rows.b; };
  const auto at = [&](const Element& e) { return PairAt(e.pair, frames[e.pair.a.node], frames[e.pair.b.node]); };
  for_each_element(joints, [&](const auto& e) {
    using Z = typename std::decay_t<decltype(e)>::Z;
    if (!touches(e)) return;
    const auto own = on_ground(e, Z::rows(at(e)));
    for (int k = 0; k < Z::size; ++k) found.push_back(own.row(k));
  });
  std::vector<Row> ties(row_count, Row::Zero());
  for_each_element(coordinate_rows, [&](const auto& e) {
    using C = typename std::decay_t<decltype(e)>::Coordinate;
    if (!touches(e)) return;
    const PairAt pair = at(e);
    const auto z = C::Z::z(pair);
    const typename C::Z::Z g = e.factor * C::secant(z, z, 0).g1;
    add_transposed_times(g, on_ground(e, C::Z::rows(pair)), ties[e.place.first]);
  });
  std::copy_if(ties.begin(), ties.end(), std::back_inserter(found), [](const Row& row) { return !row.isZero(); });
  std::vector<Rows<6>> strains(elastic_count());
  strain_rows(frames, strains);
  int place = 0;
  for_each_element(elastic, [&](const auto& e) {
    const Rows<6>& own = strains[place++];
    if (!touches(e)) return;
    const bool acts = e.function >= 0 || e.potential || e.load;
    for (int k = 0; k < e.stiffness.size(); ++k)
      if (acts || e.stiffness[k] != 0 || e.damping[k] != 0) found.push_back(on_ground(e, own).row(k));
  });
  return found;
}

void System::jacobian_rate(std::span<const Frame> frames, std::span<const double>, std::span<const Vec6> V,
                           ConstraintJacobian& D, ThreadPool* pool) const {
  D.values.assign(jacobian_size, 0.0);
  const auto row = [&](const Element& e, const PairBlocks& G) {
    const Vec6 &Va = V[e.pair.a.node], &Vb = V[e.pair.b.node];
    Rows<1> sum{transposed_times(Va, G.aa), transposed_times(Va, G.ab)};
    add_transposed_times(Vb, G.ba, sum.a), add_transposed_times(Vb, G.bb, sum.b);
    return sum;
  };
  in_tasks(pool, [&](int task) {
    ElementTasks::for_each(joints, tasks.joints, task, [&](const auto& e, int) {
      using Z = typename std::decay_t<decltype(e)>::Z;
      const PairAt at(e.pair, frames[e.pair.a.node], frames[e.pair.b.node]);
      for (int i = 0; i < Z::size; ++i) {
        PairBlocks G;
        Z::add_geometry(e.weight * Z::Z::Unit(i), at, at, 1, G);
        RowPlace place = e.place;
        place.row += i;
        add_to_jacobian<1>(*this, e, place, row(e, G), D);
      }
    });
    ElementTasks::for_each(coordinate_rows, tasks.coordinate_rows, task, [&](const auto& e, int) {
      using C = typename std::decay_t<decltype(e)>::Coordinate;
      const PairAt at(e.pair, frames[e.pair.a.node], frames[e.pair.b.node]);
      const auto z = C::Z::z(at);
      const auto rows = C::Z::rows(at);
      const auto y = C::secant(z, z, 0);
      const typename C::Z::Z z_rate = times(rows.a, V[e.pair.a.node]) + times(rows.b, V[e.pair.b.node]);
      PairBlocks G;
      C::Z::add_geometry(e.factor * y.g1, at, at, 1, G);
      const typename C::Z::Z bend = 2 * e.factor * times(y.dg, z_rate);  // the Hessian is symmetric
      Rows<1> total = row(e, G);
      add_transposed_times(bend, rows.a, total.a);
      add_transposed_times(bend, rows.b, total.b);
      add_to_jacobian<1>(*this, e, e.place, total, D);
    });
  });
}

void System::velocity_residual(const ConstraintJacobian& B, std::span<const Vec6> V, double t, std::span<double> rate,
                               ThreadPool* pool) const {
  std::fill(rate.begin(), rate.end(), 0.0);
  for (const GivenRow& given : given_rows) rate[given.row] = -functions[given.function].derivative(t);
  division(pool).for_each(static_cast<int>(blocks.size()), [&](int b) {
    const ConstraintBlock& c = blocks[b];
    Eigen::Map<VecX> r(&rate[c.first_row], c.rows);
    for (std::size_t k = 0; k < c.nodes.size(); ++k)
      r.noalias() += block(B, b, static_cast<int>(k)) * gather(c.nodes[k], V[c.nodes[k]]);
  });
}

}  // namespace polhode

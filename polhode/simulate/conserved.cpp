#include <polhode/simulate/conserved.hpp>

#include <cmath>
#include <optional>
#include <random>

#include <polhode/lie/so3.hpp>
#include <polhode/model/error.hpp>
#include <polhode/solve/svd.hpp>

namespace polhode {
namespace {

using Row = Eigen::Matrix<double, 1, 6>;

/// The conditions on (t, w) at one configuration, one row each.
std::vector<Row> conditions(const System& system, const State& state) {
  std::vector<Frame> q;
  system.frames(state, q);
  std::vector<Row> rows = system.ground_rows(q);
  const auto force_at = [&](const Vec3& f, const Vec3& p) {
    return (Row() << f.transpose(), p.cross(f).transpose()).finished();
  };
  if (!system.gravity.isZero()) {
    Row weight = Row::Zero();
    for (int i = 0; i < system.node_count(); ++i)
      weight += force_at(system.inertia[i].mass * system.gravity, system.inertia[i].centre(q[i]));
    rows.push_back(weight);
  }
  for (const Load& load : system.loads) {
    const Frame& f = q[load.node];
    const auto add = [&](const Vec3& vector) {
      const Vec3 value = load.follower ? Vec3(f.d * vector) : vector;
      rows.push_back(load.torque ? (Row() << 0, 0, 0, value.transpose()).finished()
                                 : force_at(value, f.x + f.d * load.X));
    };
    if (load.functions[0] == load.functions[1] && load.functions[1] == load.functions[2]) {
      add(load.vector);  // one direction, whatever its size
      continue;
    }
    for (int k = 0; k < 3; ++k) {  // components that change each in its own way
      const Function& function = system.functions[load.functions[k]];
      if (function.type != Function::Type::constant || function.value != 0) add(load.vector[k] * Vec3::Unit(k));
    }
  }
  for (const ComputedWrench& load : system.wrenches)  // of any direction
    for (int k = 0; k < 3; ++k) {
      rows.push_back(force_at(Vec3::Unit(k), q[load.node].x + q[load.node].d * load.X));
      rows.push_back((Row() << 0, 0, 0, Vec3::Unit(k).transpose()).finished());
    }
  for (int i = 0; i < system.node_count(); ++i) {
    if (system.nodes[i].kind == Node::Kind::turning)
      for (int k = 0; k < 3; ++k) rows.push_back(force_at(Vec3::Unit(k), q[i].x));
    if (system.nodes[i].kind == Node::Kind::sliding) {
      const Vec3 e1 = system.nodes[i].axis.unitOrthogonal();
      rows.push_back(force_at(e1, q[i].x));
      rows.push_back(force_at(system.nodes[i].axis.cross(e1), q[i].x));
    }
  }
  return rows;
}

/// Orthonormal basis of the null space of the rows, each row scaled to size 1.
MatX null_space(const MatX& rows, int columns) {
  if (rows.rows() == 0) return MatX::Identity(columns, columns);
  const Eigen::JacobiSVD<MatX> svd(rows, Eigen::ComputeFullV);
  int rank = 0;
  for (int k = 0; k < svd.singularValues().size(); ++k)
    if (svd.singularValues()[k] > 1e-7 * svd.singularValues()[0] && svd.singularValues()[k] > 1e-12) ++rank;
  return svd.matrixV().rightCols(columns - rank);
}

/// Displacements of all nodes that the joints allow, at random: (dx/L, turn), the largest of size 1. All zero if the
/// joints allow none, empty if they cannot be told. Places are moved by a quadratic function of the place, so that a long
/// chain bends as a whole: moves of single links would leave its centre of mass where it is.
std::vector<Vec6> allowed_displacements(const System& system, const State& state, std::mt19937& random) {
  std::uniform_real_distribution<double> uniform(-1, 1);
  const int n = system.node_count();
  double size = 0;
  for (const NodeState& node : state.nodes) size = std::max(size, (node.x - state.nodes[0].x).norm());
  if (size == 0) size = system.length;
  const MatX coefficients = MatX::NullaryExpr(3, 10, [&] { return uniform(random); });
  std::vector<Vec6> d(n);
  double given = 0;
  for (int i = 0; i < n; ++i) {
    const Vec3 x = (state.nodes[i].x - state.nodes[0].x) / size;
    VecX terms(10);
    terms << 1, x, x.cwiseAbs2(), x.x() * x.y(), x.y() * x.z(), x.z() * x.x();
    d[i].head<3>() = system.length * (coefficients * terms);
    for (int j = 3; j < 6; ++j) d[i][j] = uniform(random);
    d[i] = system.spread(i, system.gather(i, d[i]));
    if (!system.nodes[i].rotates()) d[i].tail<3>().setZero();
    given = std::max({given, d[i].head<3>().norm() / system.length, d[i].tail<3>().norm()});
  }
  if (system.row_count > 0) {  // d := d - M^-1 B^T (B M^-1 B^T)^-1 B d
    std::vector<Frame> q;
    std::vector<Vec6> V = d;
    V.push_back(Vec6::Zero());
    ConstraintJacobian B;
    VecX rate(system.row_count), rest(system.row_count), u = VecX::Zero(6 * n);
    system.frames(state, q);
    system.jacobian(q, state.angles, B);
    const auto rates = [&](VecX& out) {
      system.velocity_residual(B, V, state.t, {out.data(), static_cast<std::size_t>(out.size())});
    };
    rates(rate);
    std::fill(V.begin(), V.end(), Vec6::Zero());
    rates(rest);
    ConstrainedMass mass(system);
    if (!mass.factor(q, B)) return {};
    rate = rest - rate;
    mass.solve(u, rate);
    for (int i = 0; i < n; ++i) d[i] += system.spread(i, u.segment<6>(6 * i));
  }
  double largest = 0;
  for (int i = 0; i < n; ++i) {
    d[i].head<3>() /= system.length;
    largest = std::max({largest, d[i].head<3>().norm(), d[i].tail<3>().norm()});
  }
  if (!std::isfinite(largest)) return {};
  const double scale = largest > 1e-9 * given ? 1 / largest : 0;  // what rounding leaves of no freedom is none
  for (Vec6& one : d) one *= scale;
  return d;
}

/// Another configuration of the same mechanism, a little farther on: bodies moved as the joints allow, by up to 0.2
/// (radians, and lengths relative to the model's), then put back onto the joints; by less if that fails.
std::optional<State> moved(const CompiledModel& model, const State& state, std::mt19937& random) {
  const System& system = model.system;
  const std::vector<Vec6> d = allowed_displacements(system, state, random);
  if (d.empty() && system.node_count() > 0) return std::nullopt;
  for (double size = 0.2; size > 1e-3; size *= 0.25) {
    State out = state;
    for (int i = 0; i < system.node_count(); ++i) {
      out.nodes[i].x += size * system.length * d[i].head<3>();
      if (system.nodes[i].rotates()) out.nodes[i].q = (so3::exp(size * d[i].tail<3>()) * out.nodes[i].q).normalized();
    }
    try {
      if (system.row_count > 0) project_positions(model, out);
      return out;
    } catch (const ModelError&) {  // too far to be put together
    }
  }
  return std::nullopt;
}

/// The motions (t/L, w) that no condition forbids, one a column. The gram matrix is the sum of row^T row.
MatX allowed(const Mat6& gram) {
  const Eigen::JacobiSVD<MatX> svd(gram, Eigen::ComputeFullV);
  int free = 0;
  while (free < 6 && svd.singularValues()[5 - free] < 1e-14 * std::max(1.0, svd.singularValues()[0])) ++free;
  return svd.matrixV().rightCols(free);
}

}  // namespace

ConservedMomenta conserved_momenta(const CompiledModel& model, const State& state) {
  const System& system = model.system;
  const double L = system.length;
  Mat6 gram = Mat6::Zero();  // of all rows, scaled to size 1
  bool conditions_found = false;
  const auto collect = [&](const State& s) {
    for (Row row : conditions(system, s)) {
      row.head<3>() *= L;  // t in units of L
      if (row.norm() > 0) {
        row /= row.norm();
        gram += row.transpose() * row;
        conditions_found = true;
      }
    }
    return allowed(gram);
  };
  MatX N = collect(state);
  // a generic configuration either brings a new condition, of which there are six at most, or none does
  std::mt19937 random(20130607);
  State there = state;
  for (int quiet = 0; conditions_found && quiet < 2 && N.cols() > 0;) {
    std::optional<State> next = moved(model, there, random);
    if (!next) return {{}, {}, false};
    there = std::move(*next);
    const MatX fewer = collect(there);
    quiet = fewer.cols() < N.cols() ? 0 : quiet + 1;
    N = fewer;
  }
  const int free = static_cast<int>(N.cols());

  ConservedMomenta out;
  if (free == 0) return out;
  // pure translations: combinations of the columns with w = 0; the rest of the space holds the rotations
  const MatX translations = N * null_space(N.bottomRows(3), free);
  const MatX rotations = N * null_space((translations.transpose() * N).eval(), free);
  for (int k = 0; k < translations.cols(); ++k)
    out.linear.push_back({translations.col(k).head<3>().normalized(), Vec3::Zero()});
  for (int k = 0; k < rotations.cols(); ++k) {
    const Vec3 w = rotations.col(k).tail<3>();
    out.angular.push_back({L / w.norm() * rotations.col(k).head<3>(), w.normalized()});
  }
  return out;
}

}  // namespace polhode

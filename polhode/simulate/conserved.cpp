#include <polhode/simulate/conserved.hpp>

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

}  // namespace

ConservedMomenta conserved_momenta(const CompiledModel& model, const State& state) {
  const System& system = model.system;
  const double L = system.length;
  Mat6 gram = Mat6::Zero();  // sum of row^T row, rows scaled to size 1
  const auto collect = [&](const State& s) {
    for (Row row : conditions(system, s)) {
      row.head<3>() *= L;  // t in units of L
      if (row.norm() > 0) {
        row /= row.norm();
        gram += row.transpose() * row;
      }
    }
  };
  collect(state);
  // other configurations of the same mechanism: bodies shaken, then put back onto the joints
  std::mt19937 random(20130607);
  std::uniform_real_distribution<double> uniform(-1, 1);
  const double amplitude = system.node_count() > 2000 ? 0.02 : 0.2;
  for (int k = 0; k < (system.node_count() > 2000 ? 1 : 3); ++k) {
    State shaken = state;
    for (int i = 0; i < system.node_count(); ++i) {
      Vec6 d;
      for (int j = 0; j < 6; ++j) d[j] = amplitude * uniform(random);
      d = system.spread(i, d);
      shaken.nodes[i].x += L * d.head<3>();
      if (system.nodes[i].rotates()) shaken.nodes[i].q = (so3::exp(d.tail<3>()) * shaken.nodes[i].q).normalized();
    }
    try {
      if (system.row_count > 0) project_positions(model, shaken);
      collect(shaken);
    } catch (const ModelError&) {  // could not be put together: this sample tells nothing
    }
  }
  const Eigen::JacobiSVD<MatX> svd(gram, Eigen::ComputeFullV);
  int free = 0;
  while (free < 6 && svd.singularValues()[5 - free] < 1e-14 * std::max(1.0, svd.singularValues()[0])) ++free;
  const MatX N = svd.matrixV().rightCols(free);  // columns (t/L, w)

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

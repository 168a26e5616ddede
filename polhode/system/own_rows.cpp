#include <polhode/system/own_rows.hpp>

namespace polhode {

void reduce_columns_of_part(const Node& node, int m, double* K) {
  const auto column = [&](int j) { return Eigen::Map<VecX>(K + j * m, m); };
  const auto clear = [&](int first, int next) {
    for (int j = first; j < next; ++j) column(j).setZero();
  };
  switch (node.kind) {
    case Node::Kind::rigid: break;
    case Node::Kind::turning: clear(0, 3); break;
    case Node::Kind::particle: clear(3, 6); break;
    case Node::Kind::sliding:
      for (int i = 0; i < m; ++i) K[i] = node.axis[0] * K[i] + node.axis[1] * K[i + m] + node.axis[2] * K[i + 2 * m];
      clear(1, 6);
  }
}

void reduce_rows_of_part(const Node& node, Mat6& K) {
  K.transposeInPlace();
  reduce_columns_of_part(node, 6, K.data());
  K.transposeInPlace();
}

}  // namespace polhode

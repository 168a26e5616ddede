// Read, written and checked: symmetric, and not negative in any direction.
#include <polhode/describe/six_by_six.hpp>

#include <algorithm>

#include <Eigen/Eigenvalues>

#include <polhode/describe/value_type.hpp>

namespace polhode {
namespace {

constexpr double symmetry_tolerance = 1e-9;  // relative: computed matrices miss it by their rounding

bool is_row(const nlohmann::json& value) {
  return value.is_array() && value.size() == 6 &&
         std::all_of(value.begin(), value.end(), [](const auto& x) { return x.is_number(); });
}

bool read_six(const JsonValue& in, const FieldInfo&, void* to) {
  Mat6& out = static_cast<SixBySix*>(to)->matrix;
  if (is_row(in.value)) {
    Vec6 diagonal;
    if (!read(in, diagonal)) return false;
    out = diagonal.asDiagonal();
    return true;
  }
  if (!in.value.is_array() || in.value.size() != 6 || !std::all_of(in.value.begin(), in.value.end(), is_row))
    return in.expected("six numbers, three along and three about the axes, or six rows of six");
  Mat6 K;
  for (std::size_t i = 0; i < 6; ++i)
    for (std::size_t j = 0; j < 6; ++j) K(static_cast<int>(i), static_cast<int>(j)) = in.value[i][j].get<double>();
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < i; ++j)
      if (!(std::abs(K(i, j) - K(j, i)) <= symmetry_tolerance * K.cwiseAbs().maxCoeff()))
        return in.error(fmt::format("is not symmetric: [{}][{}] is {}, [{}][{}] is {}; give a symmetric matrix", i, j,
                                    K(i, j), j, i, K(j, i)));
  out = 0.5 * (K + K.transpose());
  return true;
}

Json write_six(const FieldInfo&, const void* from) {
  const Mat6& K = static_cast<const SixBySix*>(from)->matrix;
  const bool diagonal = K.isDiagonal(0);
  Json out = Json::array();
  for (int i = 0; i < 6; ++i) {
    Json row = Json::array();
    for (int j = 0; j < 6; ++j) row.push_back(K(i, j));
    out.push_back(diagonal ? row[static_cast<std::size_t>(i)] : row);
  }
  return out;
}

void check_six(const FieldInfo& field, const void* from, const std::string& key, Reporter& report) {
  const Mat6& K = static_cast<const SixBySix*>(from)->matrix;
  if (!K.allFinite()) return report.error(key, key + " has numbers that are not finite");
  if (K.isDiagonal(0)) {
    for (int k = 0; k < 6; ++k) check_number(field, K(k, k), fmt::format("{}[{}]", key, k), report);
    return;
  }
  const Vec6 values = Eigen::SelfAdjointEigenSolver<Mat6>(K, Eigen::EigenvaluesOnly).eigenvalues();
  if (values[0] < -1e-9 * values.cwiseAbs().maxCoeff())  // a semidefinite one is so to rounding
    report.warning(key, fmt::format("{} is negative in one direction: its smallest eigenvalue is {:.3g}{}", key,
                                    values[0], field.details.allowed.remark));
}

}  // namespace

template <>
const ValueType& value_type_of<SixBySix>() {
  static const ValueType type{read_six, write_six, [](const FieldInfo&) { return reference_to("six_by_six"); },
                              "Vector | Matrix", check_six};
  return type;
}

}  // namespace polhode

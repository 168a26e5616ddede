// The longer measures: angle of a joint, pose of a bushing. Here, because every file that knows a system would compile
// them again.
#include <polhode/system/measure.hpp>

namespace polhode {

CoordinateSecant<2> AngleCoordinate::secant(const Z::Z& z0, const Z::Z& z1, double last) {
  using Mat2 = Eigen::Matrix2d;
  const Mat2 I = (Mat2() << 0, -1, 1, 0).finished();
  const Z::Z zm = 0.5 * (z0 + z1);
  const double sine = z0[0] * z1[1] - z0[1] * z1[0], cosine = z0.dot(z1);  // both times |z0| |z1|
  const double D = std::atan2(sine, cosine);
  const double n1 = z1.squaredNorm(), n01 = std::sqrt(z0.squaredNorm() * n1);
  double ratio, slope;  // D / sin D and its derivative by D
  if (std::abs(D) < 0.02) {
    const double D2 = D * D;  // series, error below D^8: 3e-14 relative to 1
    ratio = 1 + D2 / 6 + 7 * D2 * D2 / 360 + 31 * D2 * D2 * D2 / 15120;
    slope = D / 3 + 7 * D * D2 / 90 + 31 * D * D2 * D2 / 2520;
  } else {
    const double s = std::sin(D);
    ratio = D / s;
    slope = (s - D * std::cos(D)) / (s * s);
  }
  CoordinateSecant<2> out;
  out.y0 = value(z0, last);
  out.y1 = out.y0 + D;
  const Z::Z Izm = I * zm;
  out.g1 = I * z1 / n1;
  out.g = ratio / n01 * Izm;
  out.dg = (slope * Izm * out.g1.transpose() + 0.5 * ratio * I - ratio / n1 * Izm * z1.transpose()) / n01;
  return out;
}

const BushingMeasure::Map& BushingMeasure::map() {
  static const Map m = [] {
    Map w = Map::Zero();
    w(0, 7) = w(1, 2) = w(2, 3) = 0.5;
    w(0, 5) = w(1, 6) = w(2, 1) = -0.5;
    w(3, 0) = w(3, 4) = w(3, 8) = 0.5;
    return w;
  }();
  return m;
}

Vec4 BushingMeasure::w(const Z::Z& z) {
  Vec4 out = map() * z.tail<9>();
  out[3] -= 0.5;
  return out;
}

Eigen::Matrix<double, 12, 12> BushingMeasure::Secant::derivative(const Vec6& stress) const {
  Eigen::Matrix<double, 12, 12> d = Eigen::Matrix<double, 12, 12>::Zero();
  d.bottomRightCorner<9, 9>() = map().transpose() * rotation.derivative(stress.tail<3>()) * map();
  return d;
}

BushingMeasure::Secant BushingMeasure::secant(const Z::Z& z0, const Z::Z& z1, double) {
  Secant out{{w(z0), w(z1)}, {}, {}, {}, {}};
  out.y0 << z0.head<3>(), out.rotation.phi0;
  out.y1 << z1.head<3>(), out.rotation.phi1;
  out.g.setZero();
  out.g.topLeftCorner<3, 3>().setIdentity();
  out.g1 = out.g;
  out.g.bottomRightCorner<3, 9>() = out.rotation.gradient * map();
  out.g1.bottomRightCorner<3, 9>() = out.rotation.gradient1 * map();
  return out;
}

}  // namespace polhode

// What elastic elements measure: y(z), one or several numbers, with the discrete gradient between two configurations.
#pragma once

#include <polhode/system/coordinate.hpp>
#include <polhode/system/rotation_vector.hpp>

namespace polhode {

/// One coordinate as a measure.
template <class C>
struct ScalarMeasure {
  using Z = typename C::Z;
  static constexpr int size = 1;
  static constexpr bool counted = C::counted;

  struct Secant {
    CoordinateSecant<Z::size> s;
    Eigen::Matrix<double, 1, 1> y0, y1;
    Eigen::Matrix<double, 1, Z::size> g, g1;
    Eigen::Matrix<double, Z::size, Z::size> derivative(const Eigen::Matrix<double, 1, 1>& stress) const {
      return stress[0] * s.dg;
    }
  };
  static Secant secant(const typename Z::Z& z0, const typename Z::Z& z1, double last) {
    Secant out{C::secant(z0, z1, last), {}, {}, {}, {}};
    out.y0[0] = out.s.y0;
    out.y1[0] = out.s.y1;
    out.g = out.s.g.transpose();
    out.g1 = out.s.g1.transpose();
    return out;
  }
};

/// The point of b in the triad of a: three travels r . a_i.
struct PointMeasure {
  using Z = Invariants<InvariantChoice{.along_a = 7}>;
  static constexpr int size = 3;
  static constexpr bool counted = false;

  struct Secant {
    Vec3 y0, y1;
    Mat3 g, g1;
    Mat3 derivative(const Vec3&) const { return Mat3::Zero(); }
  };
  static Secant secant(const Z::Z& z0, const Z::Z& z1, double) { return {z0, z1, Mat3::Identity(), Mat3::Identity()}; }
};

/// Of a bushing: three travels r . a_i, and the rotation vector from triad a to triad b, in triad a.
struct BushingMeasure {
  using Z = Invariants<InvariantChoice{.along_a = 7, .cosine = 511}>;
  static constexpr int size = 6;
  static constexpr bool counted = false;
  using Map = Eigen::Matrix<double, 4, 9>;

  /// w = (vee(A), (tr A - 1)/2) = map * A - (0, 0, 0, 1/2), with A_ij at 3 i + j.
  static const Map& map();
  static Vec4 w(const Z::Z& z);

  struct Secant {
    RotationVectorSecant rotation;
    Vec6 y0, y1;
    Eigen::Matrix<double, 6, 12> g, g1;
    Eigen::Matrix<double, 12, 12> derivative(const Vec6& stress) const;
  };
  static Secant secant(const Z::Z& z0, const Z::Z& z1, double);
};

}  // namespace polhode

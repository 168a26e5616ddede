// Functions of time: values, derivatives and means, each in closed form.
//
// The mean over an interval is the primitive, and the integral is t * mean(0, t). A difference of integrals from 0
// would lose digits (at t = 1000 s and a step of 1 ms six of them); a mean worked out on the spot loses none.
#include <polhode/model/function.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>

namespace polhode {
namespace {

using Coefficients = std::span<const double>;  // of c0 + c1 u + c2 u^2 + ...

double polynomial(Coefficients c, double u) {
  double sum = 0;
  for (std::size_t k = c.size(); k-- > 0;) sum = sum * u + c[k];
  return sum;
}

double polynomial_derivative(Coefficients c, double u) {
  double sum = 0;
  for (std::size_t k = c.size(); k-- > 1;) sum = sum * u + double(k) * c[k];
  return sum;
}

double polynomial_second_derivative(Coefficients c, double u) {
  double sum = 0;
  for (std::size_t k = c.size(); k-- > 2;) sum = sum * u + double(k * (k - 1)) * c[k];
  return sum;
}

// The mean of u^k over [u0, u1] is h_k / (k+1) with h_k = u0^k + u0^(k-1) u1 + ... + u1^k = u1 h_(k-1) + u0^k:
// nothing is divided by u1 - u0.
double polynomial_mean(Coefficients c, double u0, double u1) {
  double sum = 0, h = 0, power = 1;
  for (std::size_t k = 0; k < c.size(); ++k, power *= u0) {
    h = u1 * h + power;
    sum += c[k] * h / double(k + 1);
  }
  return sum;
}

double sinc(double x) { return x == 0 ? 1 : std::sin(x) / x; }

constexpr std::array<double, 2> straight = {0, 1};                // u
constexpr std::array<double, 6> quintic = {0, 0, 0, 10, -15, 6};  // 0 to 1 with two derivatives 0 at both ends
Coefficients ramp_shape(const Function& f) { return f.smooth ? Coefficients(quintic) : Coefficients(straight); }

// The piece of `breaks` that t lies in: -1 before breaks[0], k for breaks[k] <= t < breaks[k+1].
std::ptrdiff_t piece_of(std::span<const double> breaks, double t) {
  return std::upper_bound(breaks.begin(), breaks.end(), t) - breaks.begin() - 1;
}

// The mean over [t0, t1] of a function given piece by piece; mean(k, a, b) is that of piece k over a part of it.
template <class Mean>
double mean_of_pieces(std::span<const double> breaks, double t0, double t1, Mean&& mean) {
  double sum = 0;
  const auto last = std::ptrdiff_t(breaks.size()) - 1;
  for (std::ptrdiff_t k = piece_of(breaks, t0); k <= last; ++k) {
    const double a = k < 0 ? t0 : std::max(t0, breaks[k]);
    const double b = k == last ? t1 : std::min(t1, breaks[k + 1]);
    if (b > a) sum += (b - a) / (t1 - t0) * mean(k, a, b);
    if (b >= t1) break;
  }
  return sum;
}

// Piece k of a table, a cubic in u = (t - times[k]) / h, from the values and second derivatives at its ends.
struct TablePiece {
  double start, h;
  std::array<double, 4> c;

  TablePiece(const Function& f, std::ptrdiff_t k) : start(f.times[k]), h(f.times[k + 1] - f.times[k]) {
    const bool cubic = f.interpolation == Function::Interpolation::cubic;
    const double M0 = cubic ? h * h * f.curvatures[k] : 0, M1 = cubic ? h * h * f.curvatures[k + 1] : 0;
    c = {f.values[k], f.values[k + 1] - f.values[k] - (2 * M0 + M1) / 6, M0 / 2, (M1 - M0) / 6};
  }
  double u(double t) const { return (t - start) / h; }
};

bool outside(const Function& table, std::ptrdiff_t k) { return k < 0 || k + 1 >= std::ptrdiff_t(table.times.size()); }
double value_outside(const Function& table, std::ptrdiff_t k) {
  return k < 0 ? table.values.front() : table.values.back();
}

}  // namespace

Function Function::constant(double value) {
  Function f;
  f.value = value;
  return f;
}

// Natural cubic spline: its second derivatives M satisfy, with M = 0 at both ends,
//   h_(k-1) M_(k-1) + 2 (h_(k-1) + h_k) M_k + h_k M_(k+1) = 6 (slope_k - slope_(k-1)).
void Function::prepare() {
  for (Function& term : terms) term.prepare();
  curvatures.clear();
  if (type != Type::table || interpolation != Interpolation::cubic || times.size() != values.size()) return;

  const std::size_t n = times.size();
  curvatures.assign(n, 0.0);
  std::vector<double> above(n, 0.0);  // what elimination leaves right of the diagonal
  for (std::size_t k = 1; k + 1 < n; ++k) {
    const double h0 = times[k] - times[k - 1], h1 = times[k + 1] - times[k];
    const double rhs = 6 * ((values[k + 1] - values[k]) / h1 - (values[k] - values[k - 1]) / h0);
    const double pivot = 2 * (h0 + h1) - h0 * above[k - 1];
    above[k] = h1 / pivot;
    curvatures[k] = (rhs - h0 * curvatures[k - 1]) / pivot;
  }
  for (std::size_t k = n; k-- > 1;) curvatures[k - 1] -= above[k - 1] * curvatures[k];
}

double Function::operator()(double t) const {
  switch (type) {
    case Type::constant: return value;
    case Type::polynomial: return polynomial(coefficients, t);
    case Type::harmonic: return offset + amplitude * std::sin(angular_frequency * t + phase);
    case Type::ramp: {
      if (t < start) return from;
      if (t >= end) return to;
      return from + (to - from) * polynomial(ramp_shape(*this), (t - start) / (end - start));
    }
    case Type::table: {
      const auto k = piece_of(times, t);
      if (outside(*this, k)) return value_outside(*this, k);
      const TablePiece piece(*this, k);
      return polynomial(piece.c, piece.u(t));
    }
    case Type::piecewise: {
      const auto k = piece_of(times, t);
      return k < 0 ? 0 : terms[k](t);
    }
    case Type::sum: {
      double sum = 0;
      for (const Function& term : terms) sum += term(t);
      return sum;
    }
  }
  return std::numeric_limits<double>::quiet_NaN();
}

double Function::derivative(double t) const {
  switch (type) {
    case Type::constant: return 0;
    case Type::polynomial: return polynomial_derivative(coefficients, t);
    case Type::harmonic: return amplitude * angular_frequency * std::cos(angular_frequency * t + phase);
    case Type::ramp: {
      if (t < start || t >= end) return 0;
      const double duration = end - start;
      return (to - from) / duration * polynomial_derivative(ramp_shape(*this), (t - start) / duration);
    }
    case Type::table: {
      const auto k = piece_of(times, t);
      if (outside(*this, k)) return 0;
      const TablePiece piece(*this, k);
      return polynomial_derivative(piece.c, piece.u(t)) / piece.h;
    }
    case Type::piecewise: {
      const auto k = piece_of(times, t);
      return k < 0 ? 0 : terms[k].derivative(t);
    }
    case Type::sum: {
      double sum = 0;
      for (const Function& term : terms) sum += term.derivative(t);
      return sum;
    }
  }
  return std::numeric_limits<double>::quiet_NaN();
}

double Function::second_derivative(double t) const {
  switch (type) {
    case Type::constant: return 0;
    case Type::polynomial: return polynomial_second_derivative(coefficients, t);
    case Type::harmonic:
      return -amplitude * angular_frequency * angular_frequency * std::sin(angular_frequency * t + phase);
    case Type::ramp: {
      if (t < start || t >= end) return 0;
      const double duration = end - start, u = (t - start) / duration;
      return (to - from) / (duration * duration) * polynomial_second_derivative(ramp_shape(*this), u);
    }
    case Type::table: {
      const auto k = piece_of(times, t);
      if (outside(*this, k)) return 0;
      const TablePiece piece(*this, k);
      return polynomial_second_derivative(piece.c, piece.u(t)) / (piece.h * piece.h);
    }
    case Type::piecewise: {
      const auto k = piece_of(times, t);
      return k < 0 ? 0 : terms[k].second_derivative(t);
    }
    case Type::sum: {
      double sum = 0;
      for (const Function& term : terms) sum += term.second_derivative(t);
      return sum;
    }
  }
  return std::numeric_limits<double>::quiet_NaN();
}

double Function::integral(double t) const { return t * mean(0, t); }

double Function::mean(double t0, double t1) const {
  if (t0 == t1) return (*this)(t0);
  if (t1 < t0) std::swap(t0, t1);
  switch (type) {
    case Type::constant: return value;
    case Type::polynomial: return polynomial_mean(coefficients, t0, t1);
    case Type::harmonic: {  // the mean of sin over m - d .. m + d is sin(m) sinc(d)
      const double middle = 0.5 * (t0 + t1), half = 0.5 * (t1 - t0);
      return offset + amplitude * std::sin(angular_frequency * middle + phase) * sinc(angular_frequency * half);
    }
    case Type::ramp: {
      const std::array<double, 2> breaks = {start, end};
      return mean_of_pieces(breaks, t0, t1, [&](std::ptrdiff_t k, double a, double b) {
        if (k < 0) return from;
        if (k > 0) return to;
        const double duration = end - start;
        const double u0 = (a - start) / duration, u1 = (b - start) / duration;
        return from + (to - from) * polynomial_mean(ramp_shape(*this), u0, u1);
      });
    }
    case Type::table:
      return mean_of_pieces(times, t0, t1, [&](std::ptrdiff_t k, double a, double b) {
        if (outside(*this, k)) return value_outside(*this, k);
        const TablePiece piece(*this, k);
        return polynomial_mean(piece.c, piece.u(a), piece.u(b));
      });
    case Type::piecewise:
      return mean_of_pieces(times, t0, t1,
                            [&](std::ptrdiff_t k, double a, double b) { return k < 0 ? 0.0 : terms[k].mean(a, b); });
    case Type::sum: {
      double sum = 0;
      for (const Function& term : terms) sum += term.mean(t0, t1);
      return sum;
    }
  }
  return std::numeric_limits<double>::quiet_NaN();
}

std::vector<double> Function::breaks() const {
  std::vector<double> out;
  if (type == Type::ramp) out = {start, end};
  if (type == Type::table || type == Type::piecewise) out = times;
  for (const Function& term : terms)
    for (const double time : term.breaks()) out.push_back(time);
  return out;
}

}  // namespace polhode

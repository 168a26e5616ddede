#include <polhode/study/spectrum.hpp>

#include <algorithm>
#include <cmath>
#include <deque>
#include <limits>
#include <numbers>
#include <optional>
#include <stdexcept>

#include <fmt/format.h>
#include <Eigen/Eigenvalues>

#include <polhode/elements/forces/bushing.hpp>
#include <polhode/integrate/integrator_text.hpp>
#include <polhode/integrate/methods.hpp>
#include <polhode/model/error.hpp>
#include <polhode/system/compile.hpp>

namespace polhode {
namespace {

constexpr double T = 2 * std::numbers::pi;  // period of linear_oscillator()
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// A method on the oscillator, with steps of one size. What a step takes over to the next, less its value at rest, is a
/// vector y = (x, v, memory).
class OscillatorSteps {
 public:
  OscillatorSteps(const IntegratorChoice& choice, double h)
      : compiled_(compile(linear_oscillator())), name_(to_text(choice)), h_(h) {
    const NewtonOptions until_corrections_are_rounding{.tolerance = 1e-30};
    integrator_ = make_integrator(compiled_.system, choice, until_corrections_are_rounding);
    // Explicit methods refuse to start with a step above their limit. Of the memory at rest only a record of the step
    // can depend on the step, so it is extended from two small ones; a step at rest then rounds it as the method does.
    rest_ = started(0, 0, small);
    rest_.memory += (h - small) / small * (started(0, 0, 2 * small).memory - rest_.memory);
    integrator_->step(rest_, h);
  }

  /// Beginnings of motions, made for two steps that are not h: what h itself would hardly excite at the beginning, but
  /// rounding in the end, is in them too, such as a distance between the two chains of a staggered method.
  std::deque<VecX> beginnings() {
    std::deque<VecX> out;
    for (const double h : {small, 2 * small})
      for (const auto& [x, v] : {std::pair{1, 0}, {0, 1}})
        out.push_back(numbers(started(x, v, h)) - numbers(started(0, 0, h)));
    return out;
  }

  VecX step(const VecX& y) {
    // so that the first guess x + h v + ... of a large step is not taken for divergence
    const double size = 1 / (1 + h_ * h_);
    State state = rest_;
    state.nodes[0].x += size * y.head<3>();
    state.nodes[0].v += size * y.segment<3>(3);
    state.memory += size * y.tail(state.memory.size());
    const StepReport report = integrator_->step(state, h_);
    if (!report.converged) throw std::runtime_error(fmt::format("{}: no convergence at h/T = {:g}", name_, h_ / T));
    return (numbers(state) - numbers(rest_)) / size;
  }

 private:
  static constexpr double small = 0.1;  // 63 steps a period: no method refuses that

  State started(double x, double v, double h) {
    State state = compiled_.start;
    state.nodes[0].x[0] += x;
    state.nodes[0].v[0] += v;
    integrator_->start(state, h);
    return state;
  }
  static VecX numbers(const State& state) {
    VecX y(6 + state.memory.size());
    y << state.nodes[0].x, state.nodes[0].v, state.memory;
    return y;
  }

  const CompiledModel compiled_;
  std::string name_;
  double h_;
  std::unique_ptr<Integrator> integrator_;
  State rest_;
};

/// log of a root with the phase nearest to that of another: roots of large steps may have turned by more than pi.
std::complex<double> log_near(std::complex<double> root, double phase) {
  const std::complex<double> w = std::log(root);
  return {w.real(), w.imag() + 2 * std::numbers::pi * std::round((phase - w.imag()) / (2 * std::numbers::pi))};
}

/// Follows the principal root from small steps to larger ones: at each, the root nearest to what the last two predict.
class RootFollower {
 public:
  /// w = (-xi + i) omega_bar h, or nothing if the root is real.
  std::optional<std::complex<double>> next(double h_over_T, const std::vector<std::complex<double>>& roots) {
    const std::complex<double> predicted =
        last_ ? last_->w + (last_->w - before_->w) / (last_->h - before_->h) * (h_over_T - last_->h)
              : std::complex<double>(0, T * h_over_T);
    std::complex<double> w = nan;
    double least = std::numeric_limits<double>::infinity();
    bool real = true;
    for (const std::complex<double>& root : roots) {
      if (std::abs(root) < 1e-100) continue;
      const std::complex<double> candidate = log_near(root, predicted.imag());
      if (std::abs(candidate - predicted) >= least) continue;
      least = std::abs(candidate - predicted);
      w = candidate;
      // a double root comes out as a pair that is sqrt(1e-16) apart
      real = std::abs(root.imag()) < 1e-7 * std::abs(root);
    }
    if (real) return std::nullopt;
    before_ = last_ ? last_ : Place{0, 0};
    last_ = Place{h_over_T, w};
    return w;
  }

 private:
  struct Place {
    double h;
    std::complex<double> w;
  };
  std::optional<Place> last_, before_;
};

SpectralPoint point(const IntegratorChoice& integrator, double h_over_T, RootFollower& follower) {
  const Eigen::VectorXcd roots = amplification(integrator, h_over_T).A.eigenvalues();
  SpectralPoint out{h_over_T, roots.cwiseAbs().maxCoeff(), nan, nan, {roots.begin(), roots.end()}};
  if (const auto w = follower.next(h_over_T, out.roots)) {
    out.period_error = T * h_over_T / w->imag() - 1;
    out.damping = -w->real() / w->imag();
  }
  return out;
}

}  // namespace

Model linear_oscillator() {
  Model model;
  model.name = "linear oscillator";
  Body body;
  body.name = "mass";
  body.mass = 1;
  body.inertia = Mat3::Identity();
  body.velocity = body.angular_velocity = Vec3::Zero();
  Bushing spring{.name = "spring", .between = {"ground", "mass"}};
  spring.stiffness.matrix(0, 0) = 1;
  model.bodies = {body};
  model.forces = {spring};
  return model;
}

Amplification amplification(const IntegratorChoice& integrator, double h_over_T) {
  OscillatorSteps oscillator(integrator, T * h_over_T);
  std::deque<VecX> waiting = oscillator.beginnings();
  // Beginnings, their images, the images of these, ...: as many as are independent, made orthonormal (Arnoldi).
  // Directions below 1e-8 are taken for rounding: one of them divided by its length would have errors of 1e-8 itself.
  std::vector<VecX> basis, images;
  double defect = 0;
  while (!waiting.empty()) {
    VecX y = waiting.front();
    waiting.pop_front();
    const double size = y.norm();
    for (int round = 0; round < 2; ++round)
      for (const VecX& q : basis) y -= q.dot(y) * q;
    if (!(y.norm() > 1e-8 * size)) {
      defect = std::max(defect, y.norm() / std::max(1.0, size));
      continue;
    }
    if (basis.size() >= 24)
      throw std::runtime_error(fmt::format("{}: its step is not linear at h/T = {:g}", to_text(integrator), h_over_T));
    basis.push_back(y.normalized());
    images.push_back(oscillator.step(basis.back()));
    waiting.push_back(images.back());
  }
  const long n = static_cast<long>(basis.size());
  Amplification out{MatX(n, n), defect};
  for (long i = 0; i < n; ++i)
    for (long j = 0; j < n; ++j)
      out.A(i, j) = basis[static_cast<std::size_t>(i)].dot(images[static_cast<std::size_t>(j)]);
  return out;
}

Spectrum spectrum(const IntegratorChoice& integrator, const std::vector<double>& h_over_T) {
  Spectrum out{integrator, {}, {}};
  complete_options(find_method(integrator.name), integrator);  // a wrong choice is an error, not a note
  for (const double h : h_over_T)
    if (!(h > 0 && h < 1e6)) throw ModelError(fmt::format("h/T is {:g}; it must be above 0, and below 1e6", h));
  std::vector<double> ascending = h_over_T;
  std::sort(ascending.begin(), ascending.end());
  std::vector<SpectralPoint> found;
  try {
    RootFollower follower;
    // in small strides, so that the root is not lost on the way
    double h = ascending.empty() ? 0 : std::min(0.01, ascending.front());
    for (const double wanted : ascending) {
      for (; h < wanted * (1 - 1e-9); h *= 1.1) point(integrator, h, follower);
      found.push_back(point(integrator, wanted, follower));
      h = 1.1 * wanted;
    }
  } catch (const std::exception& e) {
    out.note = e.what();
  }
  for (const double wanted : h_over_T)
    for (const SpectralPoint& p : found)
      if (p.h_over_T == wanted) {
        out.points.push_back(p);
        break;
      }
  return out;
}

}  // namespace polhode

// The explicit methods of two chains half a step apart, each carried by the rates of the other.
#include <algorithm>
#include <cmath>
#include <numbers>

#include <polhode/integrate/explicit_family.hpp>

namespace polhode {
namespace {

/// The half chain is kept in the memory: x (3 of 6) and Lambda as a quaternion (4 of 6), between what each chain
/// carries: memory = h, own, x, Lambda, other.
class TwoChains : public Explicit {
 public:
  using Explicit::Explicit;
  void restart(State& state, double h) final { start(state, h); }

 protected:
  void read_chains(const State& state) {
    read(state, q_, W_);
    recall(state, 0, own_);
    recall(state, 1, x_);
    recall(state, 2, Lambda_);
    recall(state, 3, other_);
    half_.x.resize(n_);
    half_.Lambda.resize(n_);
    for (int i = 0; i < n_; ++i) {
      half_.x[i] = x_[i].head<3>();
      half_.Lambda[i] = Quaternion(Eigen::Vector4d(Lambda_[i].head<4>()));
    }
  }
  void keep_half(const Places& half, State& state, double h) {
    x_.assign(n_, Vec6::Zero());
    Lambda_.assign(n_, Vec6::Zero());
    for (int i = 0; i < n_; ++i) {
      x_[i].head<3>() = half.x[i];
      Lambda_[i].head<4>() = half.Lambda[i].normalized().coeffs();
    }
    remember(state, h, {&own_, &x_, &Lambda_, &other_});
  }

  Places q_, half_, q1_, next_;
  Vectors W_, own_, other_, x_, Lambda_;
};

/// Hulbert 1992. The chains carry momenta P.
class Staggered final : public TwoChains {
 public:
  using TwoChains::TwoChains;
  void start(State& state, double h) override {
    const double t = state.t;
    read(state, q_, W_);
    momenta(q_, W_, own_);
    accelerations_at_start(state, A_);
    // q½ = q o exp(h/2 W + h²/8 A),  P½ = P + I(0, ½)
    move(
        q_, [&](int i) -> Vec6 { return 0.5 * h * W_[i] + 0.125 * h * h * A_[i]; }, half_);
    other_ = own_;
    if (impulse_ == Impulse::midpoint) {
      move(
          q_, [&](int i) -> Vec6 { return 0.25 * h * W_[i] + h * h / 32 * A_[i]; }, q1_);
      kick(0.5 * h, q1_, W_, t, t + 0.5 * h, state, other_);
    } else {
      kick(0.25 * h, q_, W_, t, t + 0.5 * h, state, other_);
      kick(0.25 * h, half_, W_, t, t + 0.5 * h, state, other_);
    }
    keep_half(half_, state, h);
  }

 private:
  /// (J3/J1) |sin(W3 h/2)| <= 1 for a symmetric body that spins about its axis
  SpinLimit spin_limit() const override {
    return {"staggered", [](double ratio) { return ratio <= 1 ? std::numbers::pi : 2 * std::asin(1 / ratio); }};
  }
  void advance(State& state, double h) override {
    const double t = state.t;
    read_chains(state);
    // q1 = q o exp(h W½),  P1 = P + I(0, 1)
    rates(half_, other_, W_half_);
    move(
        q_, [&](int i) -> Vec6 { return h * W_half_[i]; }, q1_);
    add_impulse(q_, half_, q1_, W_half_, t, h, state, own_);
    rates(q1_, own_, W_);
    // q3/2 = q½ o exp(h W1),  P3/2 = P½ + I(½, 3/2)
    move(
        half_, [&](int i) -> Vec6 { return h * W_[i]; }, next_);
    add_impulse(half_, q1_, next_, W_, t + 0.5 * h, h, state, other_);
    put(q1_, W_, state);
    keep_half(next_, state, h);
  }

  void add_impulse(const Places& from, const Places& middle, const Places& to, const Vectors& W, double t0, double h,
                   const State& state, Vectors& P) {
    if (impulse_ == Impulse::midpoint) {
      kick(h, middle, W, t0, t0 + h, state, P);
    } else {
      kick(0.5 * h, from, W, t0, t0 + h, state, P);
      kick(0.5 * h, to, W, t0, t0 + h, state, P);
    }
  }

  Vectors A_, W_half_;
};

/// Park, Chiou & Downer: rates in place of momenta, and the midpoint rule on the Euler parameters, which is the Cayley
/// map.
class ParkChiouDowner final : public TwoChains {
 public:
  using TwoChains::TwoChains;
  void start(State& state, double h) override {
    read(state, q_, own_);
    accelerations_at_start(state, A_);
    // q½ = q o cay(h/2 W + h²/8 A),  W½ = W + h/2 A
    move<so3::cay>(
        q_, [&](int i) -> Vec6 { return 0.5 * h * own_[i] + 0.125 * h * h * A_[i]; }, half_);
    other_ = own_;
    for (int i = 0; i < n_; ++i) other_[i] += 0.5 * h * A_[i];
    keep_half(half_, state, h);
  }

 private:
  /// |J3 - J1|/J1 |W3| h <= 2
  SpinLimit spin_limit() const override {
    return {"park-chiou-downer", [](double ratio) {
              return ratio == 1 ? std::numbers::pi : std::min(std::numbers::pi, 2 / std::abs(ratio - 1));
            }};
  }
  void advance(State& state, double h) override {
    read_chains(state);
    // q1 = q o cay(h W½),  W1 = W + h A(q½, W½);  q3/2 = q½ o cay(h W1),  W3/2 = W½ + h A(q1, W1)
    move<so3::cay>(
        q_, [&](int i) -> Vec6 { return h * other_[i]; }, q1_);
    accelerate(half_, other_, state.t, h, state, own_);
    move<so3::cay>(
        half_, [&](int i) -> Vec6 { return h * own_[i]; }, next_);
    accelerate(q1_, own_, state.t + 0.5 * h, h, state, other_);
    put(q1_, own_, state);
    keep_half(next_, state, h);
  }

  /// W += h (m/M, J⁻¹ (Lambdaᵀ m - Omega x J Omega)), with m and Omega at q, where the rates are `there`.
  void accelerate(const Places& q, const Vectors& there, double t0, double h, const State& state, Vectors& W) {
    forces(q, there, t0, t0 + h, state, A_);
    for (int i = 0; i < n_; ++i)
      W[i] += system_.inertia[i].kick(h, A_[i], q.Lambda[i], there[i].tail<3>(), J_inverse_[i]);
  }

  Vectors A_;
};

}  // namespace

std::unique_ptr<Integrator> make_staggered(const System& system, Impulse impulse) {
  return std::make_unique<Staggered>(system, impulse);
}

std::unique_ptr<Integrator> make_park_chiou_downer(const System& system) {
  return std::make_unique<ParkChiouDowner>(system, Impulse::midpoint);
}

Vec3 half_chain_momentum(const System& system, ExplicitMethod method, const State& state, int node) {
  const long n = system.node_count();
  const auto part = [&](long k) { return Vec6(state.memory.segment<6>(1 + 6 * (k * n + node))); };
  const Vec3 carried = part(3).tail<3>();
  if (method == ExplicitMethod::staggered) return carried;
  return Quaternion(Eigen::Vector4d(part(2).head<4>())) * system.inertia[node].spin(carried);
}

}  // namespace polhode

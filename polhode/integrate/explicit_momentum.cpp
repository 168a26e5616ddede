// The explicit methods of one chain, and the factory of all four.
#include <polhode/integrate/explicit_momentum.hpp>

#include <cmath>
#include <numbers>

#include <polhode/integrate/explicit_family.hpp>

namespace polhode {
namespace {

/// Simo & Wong 1991. Memory: P, A.
class SimoWong final : public Explicit {
 public:
  using Explicit::Explicit;
  void start(State& state, double h) override {
    read(state, q_, W_);
    momenta(q_, W_, P_);
    accelerations_at_start(state, A_);
    remember(state, h, {&P_, &A_});
  }
  void restart(State& state, double h) override { start(state, h); }

 private:
  /// |2 J3/J1 - 1| |sin(W3 h/2)| <= 1 for a symmetric body that spins about its axis
  SpinLimit spin_limit() const override {
    return {"simo-wong",
            [](double ratio) { return ratio <= 1 ? std::numbers::pi : 2 * std::asin(1 / (2 * ratio - 1)); }};
  }

  void advance(State& state, double h) override {
    const double t = state.t;
    read(state, q_, W_);
    recall(state, 0, P_);
    recall(state, 1, A_);
    // q1 = q o exp(h W + h²/2 A),  P1 = P + I
    move(
        q_, [&](int i) -> Vec6 { return h * W_[i] + 0.5 * h * h * A_[i]; }, q1_);
    if (impulse_ == Impulse::midpoint) {
      move(
          q_, [&](int i) -> Vec6 { return 0.5 * h * W_[i] + 0.125 * h * h * A_[i]; }, half_);
      kick(h, half_, predicted_rates(half_, P_, state, h), t, t + h, state, P_);
    } else {
      kick(0.5 * h, q_, W_, t, t + h, state, P_);
      kick(0.5 * h, q1_, predicted_rates(q1_, P_, state, h), t, t + h, state, P_);
    }
    rates(q1_, P_, W1_);
    // A1 = -A + (2/h)(W1 - W)
    for (int i = 0; i < n_; ++i) A_[i] = 2 / h * (W1_[i] - W_[i]) - A_[i];
    put(q1_, W1_, state);
    remember(state, h, {&P_, &A_});
  }

  /// The rates with which forces act at q, that of P + h/2 m(q, W): to second order those of the end, or of the middle.
  const Vectors& predicted_rates(const Places& q, const Vectors& P, const State& state, double h) {
    if (!rates_act_) return W_;
    predicted_P_ = P;
    kick(0.5 * h, q, W_, state.t, state.t + h, state, predicted_P_);
    rates(q, predicted_P_, W1_);
    return W1_;
  }

  Places q_, half_, q1_;
  Vectors W_, W1_, P_, predicted_P_, A_;
};

/// The predictor-corrector form of Tamma & Namburu's algorithm. Memory: P.
class PredictorCorrector final : public Explicit {
 public:
  using Explicit::Explicit;
  void start(State& state, double h) override {
    read(state, q_, W_);
    momenta(q_, W_, P_);
    remember(state, h, {&P_});
  }

 private:
  /// No step is stable; above 1 rad the growth is no longer weak.
  SpinLimit spin_limit() const override {
    return {"predictor-corrector", [](double) { return 1.0; }};
  }

  void advance(State& state, double h) override {
    read(state, q_, W_);
    recall(state, 0, P_);
    // q~ = q o exp(h W),  W~ of P + I~;  q1 = q o exp(h/2 (W + W~)),  W1 of P1 = P + I
    move(
        q_, [&](int i) -> Vec6 { return h * W_[i]; }, q1_);
    impulse(state, h, W_);
    rates(q1_, P1_, W1_);
    if (rates_act_ && impulse_ == Impulse::midpoint) {  // I~ again, with the rates of the middle: I is the same
      impulse(state, h, W1_);
      rates(q1_, P1_, W1_);
    }
    move(
        q_, [&](int i) -> Vec6 { return 0.5 * h * (W_[i] + W1_[i]); }, q1_);
    if (impulse_ == Impulse::trapezoidal) impulse(state, h, W1_);  // the middle is where it was
    rates(q1_, P1_, W1_);
    put(q1_, W1_, state);
    remember(state, h, {&P1_});
  }

  /// P1 = P + I, with the end q1 as it is now, where forces act with the rates W_end.
  void impulse(const State& state, double h, const Vectors& W_end) {
    const double t = state.t;
    P1_ = P_;
    if (impulse_ == Impulse::midpoint) {
      move(
          q_, [&](int i) -> Vec6 { return 0.5 * h * W_[i]; }, half_);
      W_half_.resize(n_);
      for (int i = 0; i < n_; ++i) W_half_[i] = 0.5 * (W_[i] + W_end[i]);
      kick(h, half_, W_half_, t, t + h, state, P1_);
    } else {
      kick(0.5 * h, q_, W_, t, t + h, state, P1_);
      kick(0.5 * h, q1_, W_end, t, t + h, state, P1_);
    }
  }

  Places q_, half_, q1_;
  Vectors W_, W_half_, W1_, P_, P1_;
};

}  // namespace

std::unique_ptr<Integrator> make_explicit_momentum(const System& system, ExplicitMethod method, Impulse impulse) {
  switch (method) {
    case ExplicitMethod::simo_wong: return std::make_unique<SimoWong>(system, impulse);
    case ExplicitMethod::predictor_corrector: return std::make_unique<PredictorCorrector>(system, impulse);
    case ExplicitMethod::staggered: return make_staggered(system, impulse);
    case ExplicitMethod::park_chiou_downer: break;
  }
  return make_park_chiou_downer(system);
}

}  // namespace polhode

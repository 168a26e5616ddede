// Strains of elastic elements: their rows close exactly between two configurations, and carry whatever stress an
// integrator adds.
#include <gtest/gtest.h>

#include "configurations.hpp"

namespace polhode::strain_test {
namespace {

struct Evaluation {
  std::vector<Vec6> force;
  std::vector<Strain> strain;
};

/// Forces and strains of a random model between two configurations, a step u apart.
struct StrainTest : testing::TestWithParam<unsigned> {
  const CompiledModel compiled = compile(random_model(GetParam(), {.bodies = 6, .drives = false}));
  const System& system = compiled.system;
  Random random{GetParam()};
  const std::vector<Frame> q0 = frames_of(system, compiled.start);
  const std::vector<Vec6> u = random_motion(system, random, 0.3);
  const VecX lambda = VecX::Zero(system.row_count);

  Evaluation evaluate(std::span<const Frame> q1, double lead = 0, std::span<const Vec6> added = {}) const {
    Evaluation out{std::vector<Vec6>(q0.size(), Vec6::Zero()), std::vector<Strain>(system.law_count())};
    VecX phi(system.row_count);
    const Variant variant{.lead = lead, .added_stress = added, .strain = out.strain};
    const Stage stage{
        .start = q0, .end = q1, .t1 = 0.1, .lambda = span_of(lambda), .given = &compiled.start, .variant = &variant};
    system.evaluate(stage, out.force, span_of(phi));
    return out;
  }

  template <class F>
  void for_each_part(F&& f) const {
    system.elements.for_each_law(
        [&](const LawArray& laws, int k) { f(laws.first + k, laws.element(k), laws.properties(k)); });
  }
  /// Y u of two nodes; the ground does not move.
  static Vec6 strain_of(const Rows<6>& Y, const Vec6& u_a, const Vec6& u_b) { return Y.a * u_a + Y.b * u_b; }
  Vec6 own(int node, std::span<const Vec6> v) const {
    return node < system.ground() ? system.gather(node, v[node]) : Vec6(Vec6::Zero());
  }
};

TEST_P(StrainTest, ChangesByTheMeanRowsExactly) {
  const auto out = evaluate(moved(q0, u));
  for_each_part([&](int k, const Element& e, const LawProperties&) {
    const Strain& s = out.strain[k];
    EXPECT_LE((strain_of(s.mean, own(e.pair.a.node, u), own(e.pair.b.node, u)) - s.change).norm(),
              1e-13 * (1 + s.change.norm()));
  });
}

TEST_P(StrainTest, HasItsDerivativeInTheRowsAtTheEnd) {
  const auto q1 = moved(q0, u);
  const auto du = random_motion(system, random, 1);
  const auto out = evaluate(q1);
  std::vector<Rows<6>> Y(system.law_count(), {Mat6::Zero(), Mat6::Zero()});
  system.strain_rows(q1, Y);
  for_each_part([&](int k, const Element& e, const LawProperties&) {
    const Vec6 rate = derivative([&](double t) { return Vec6(evaluate(moved(q1, du, t)).strain[k].change); });
    EXPECT_LE((strain_of(out.strain[k].end, own(e.pair.a.node, du), own(e.pair.b.node, du)) - rate).norm(),
              1e-8 * (1 + rate.norm()));
    EXPECT_LE((Y[k].a - out.strain[k].end.a).norm() + (Y[k].b - out.strain[k].end.b).norm(), 1e-12);
  });
}

TEST_P(StrainTest, CarriesAddedStressAndLead) {
  const auto q1 = moved(q0, u);
  const double lead = 0.3;
  std::vector<Vec6> added;
  for (int k = 0; k < system.law_count(); ++k) added.push_back(random.vector6());
  const auto plain = evaluate(q1), more = evaluate(q1, lead, added);
  std::vector<Vec6> expected(q0.size(), Vec6::Zero());
  for_each_part([&](int k, const Element& e, const LawProperties& law) {
    Vec6 stress = lead * law.stiffness * plain.strain[k].change;
    stress.head(law.size) += added[k].head(law.size);
    if (e.pair.a.node < system.ground()) expected[e.pair.a.node] += plain.strain[k].mean.a.transpose() * stress;
    if (e.pair.b.node < system.ground()) expected[e.pair.b.node] += plain.strain[k].mean.b.transpose() * stress;
  });
  for (int i = 0; i < system.node_count(); ++i)
    EXPECT_LE((system.gather(i, more.force[i] - plain.force[i]) - expected[i]).norm(),
              1e-12 * (1 + more.force[i].norm()));
}

INSTANTIATE_TEST_SUITE_P(RandomModels, StrainTest, testing::Range(1u, 6u));

}  // namespace
}  // namespace polhode::strain_test

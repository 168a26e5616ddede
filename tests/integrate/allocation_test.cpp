// A step allocates nothing: every call of malloc is counted, also those of Eigen, which do not go through operator new.
#include <algorithm>
#include <atomic>
#include <cstdlib>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "simulate/runs.hpp"

namespace {
std::atomic<long> allocations = 0;
}

#if defined(__SANITIZE_ADDRESS__)
// as <sanitizer/allocator_interface.h> declares it, which not every compiler brings
extern "C" int __sanitizer_install_malloc_and_free_hooks(void (*)(const volatile void*, std::size_t),
                                                         void (*)(const volatile void*));
namespace {
[[maybe_unused]] const int hooks = __sanitizer_install_malloc_and_free_hooks(
    [](const volatile void*, std::size_t) { ++allocations; }, [](const volatile void*) {});
}
#elif defined(__GLIBC__)
// The C library's own functions, with a counter before them. All of its heap goes through these.
extern "C" {
void* __libc_malloc(std::size_t size);                           // NOLINT(bugprone-reserved-identifier)
void* __libc_calloc(std::size_t count, std::size_t size);        // NOLINT(bugprone-reserved-identifier)
void* __libc_realloc(void* old, std::size_t size);               // NOLINT(bugprone-reserved-identifier)
void* __libc_memalign(std::size_t alignment, std::size_t size);  // NOLINT(bugprone-reserved-identifier)

void* malloc(std::size_t size) {
  ++allocations;
  return __libc_malloc(size);
}
void* calloc(std::size_t count, std::size_t size) {
  ++allocations;
  return __libc_calloc(count, size);
}
void* realloc(void* old, std::size_t size) {
  ++allocations;
  return __libc_realloc(old, size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) {
  ++allocations;
  return __libc_memalign(alignment, size);
}
}
#endif

namespace polhode::allocation_test {
namespace {

TEST(AllocationCount, SeesWhatEigenAndNewTake) {  // else the tests below could not fail
  const long before = allocations;
  VecX vector = VecX::Zero(100);
  auto* number = new double(vector.sum());
  EXPECT_EQ(*number, 0);
  delete number;
  EXPECT_GE(allocations - before, 2);
}

class Allocation : public testing::TestWithParam<std::tuple<const char*, IntegratorChoice>> {};

TEST_P(Allocation, HappensInNoStepAfterTheFirst) {
  const auto& [name, choice] = GetParam();
  const Model model = model_file(name);
  const CompiledModel compiled = compile(model);
  State state = compiled.start;
  consistent_start(compiled, SimulationOptions::Assembly::strict, state);
  const auto integrator = make_integrator(compiled.system, choice);
  const double h = 1e-3;
  integrator->start(state, h);
  ASSERT_TRUE(integrator->step(state, h).converged);
  const long before = allocations;
  bool converged = true;
  for (int k = 0; k < 20; ++k) converged = integrator->step(state, h).converged && converged;
  const long after = allocations;
  EXPECT_TRUE(converged);
  EXPECT_EQ(after - before, 0) << "in 20 steps";
}

/// Model, method, and what its options are, in letters that a test's name may have.
std::string name_of(const testing::TestParamInfo<std::tuple<const char*, IntegratorChoice>>& test) {
  const auto& [model, choice] = test.param;
  std::string out = fmt::format("{}_{}", model, choice.name);
  for (const auto& [option, value] : choice.options) {
    if (std::holds_alternative<std::string>(value))
      out += fmt::format("_{}", std::get<std::string>(value));
    else
      out += fmt::format("_{}_{:g}", option, std::get<double>(value));
  }
  std::erase(out, '.');
  std::replace(out.begin(), out.end(), '-', '_');
  return out;
}

INSTANTIATE_TEST_SUITE_P(
    Steps, Allocation,
    testing::Combine(
        testing::Values("chain_revolute", "chain_spherical", "bricard", "flyball_governor", "andrews", "gear_train"),
        testing::Values(energy_momentum(2), energy_momentum(4), generalized_alpha(0.9, 3), generalized_alpha(0.9, 2),
                        IntegratorChoice{"director", {}}, IntegratorChoice{"energy-decaying", {{"energy", "physical"}}},
                        IntegratorChoice{"energy-decaying", {{"energy", "augmented"}}},
                        IntegratorChoice{"lens-cardona", {{"scheme", "alpha-kappa"}}},
                        IntegratorChoice{"lens-cardona", {{"scheme", "decaying"}}},
                        IntegratorChoice{"lens-cardona", {{"kappa", "exact"}}},
                        IntegratorChoice{"lens-cardona", {{"torque", "fixed-pole"}}})),
    name_of);

INSTANTIATE_TEST_SUITE_P(
    ExplicitSteps, Allocation,
    testing::Combine(testing::Values("tumbling_body", "fast_top", "dzhanibekov"),
                     testing::Values(IntegratorChoice{"simo-wong", {{"impulse", "trapezoidal"}}},
                                     IntegratorChoice{"simo-wong", {{"impulse", "midpoint"}}},
                                     IntegratorChoice{"predictor-corrector", {{"impulse", "trapezoidal"}}},
                                     IntegratorChoice{"predictor-corrector", {{"impulse", "midpoint"}}},
                                     IntegratorChoice{"staggered", {{"impulse", "trapezoidal"}}},
                                     IntegratorChoice{"staggered", {{"impulse", "midpoint"}}},
                                     IntegratorChoice{"park-chiou-downer", {}})),
    name_of);

INSTANTIATE_TEST_SUITE_P(RattlieSteps, Allocation,
                         testing::Combine(testing::Values("chain_revolute", "chain_spherical", "bricard", "gear_train"),
                                          testing::Values(IntegratorChoice{"rattlie", {}})),
                         name_of);

}  // namespace
}  // namespace polhode::allocation_test

#include <polhode/papers/bruls_cardona.hpp>

#include <cmath>
#include <map>

#include <polhode/model/error.hpp>
#include <polhode/study/reference.hpp>

namespace polhode::papers::bruls_cardona {
namespace {

Vec3 observed(const Problem& problem, const Certificate::BodyState& body) {
  return body.position + body.orientation * problem.X;
}

/// The exact motion at some times, computed once.
const Reference& motion(const Problem& problem, const std::vector<double>& times) {
  static std::map<std::pair<std::string, std::vector<double>>, Reference> known;
  const auto key = std::pair(problem.model, times);
  const auto found = known.find(key);
  return found != known.end()
             ? found->second
             : known.emplace(key, compute_reference(built_in_model(problem.model), times, 1e-13)).first->second;
}

}  // namespace

Model model_of(const Problem& problem, const IntegratorChoice& integrator, double h, double end_time) {
  Model model = built_in_model(problem.model);
  model.simulation.integrator = integrator;
  model.simulation.step = h;
  model.simulation.end_time = end_time;
  return model;
}

std::vector<double> Problem::times() const {
  std::vector<double> out;
  for (int k = 0; k < 10; ++k) out.push_back(first + 0.02 * k);
  return out;
}

const std::vector<Problem>& problems() {
  static const std::vector<Problem> all{
      {"7.1", "spherical inertia, follower torque", "bruls_7_1", "body", {0, 0, -0.6}, 0.42, 0.6, {1, 0.6}},
      {"7.2a",
       "free axisymmetric body, data as the print can be read",
       "bruls_7_2a",
       "body",
       {0, 0, -0.646},
       0.82,
       1,
       {1, 0.6}},
      {"7.2b", "free axisymmetric body, wide", "bruls_7_2b", "body", {0, 0, -0.646}, 0.82, 1, {1, 0.6}},
      {"7.3a",
       "axisymmetric body, follower torque, data as the print can be read",
       "bruls_7_3a",
       "body",
       {0, 0, -0.646},
       0.12,
       0.3,
       {1, 0.6}},
      {"7.3b", "axisymmetric body, follower torque, fast", "bruls_7_3b", "body", {0, 0, -0.646}, 0.12, 0.3, {1, 0.6}},
      {"7.4", "heavy top without constraints", "bruls_7_4", "body", {0, 1, 0}, 0.32, 0.5, {1, 0.6}},
      {"7.5", "heavy top with constraints", "heavy_top", "top", {0, 0, 0}, 0.32, 0.5, {0.9, 0.6}},
  };
  return all;
}

const Problem& problem(const std::string& name) {
  for (const Problem& p : problems())
    if (p.name == name) return p;
  throw std::out_of_range("there is no problem " + name);
}

IntegratorChoice method(const std::string& update, double rho_inf, const std::string& start, const std::string& group,
                        double index) {
  IntegratorChoice choice{
      "generalized-alpha",
      {{"update", update}, {"rho_inf", rho_inf}, {"start", start}, {"group", group}, {"index", index}}};
  if (index == 2) choice.options["metric"] = std::string("identity");
  return choice;
}

Vec3 exact(const Problem& p, double t) {
  const KnownMotion& body = motion(p, {t}).moments.at(0).bodies.at(0);
  return *body.position + *body.orientation * p.X;
}

double error(const Problem& p, const IntegratorChoice& integrator, double h) {
  const std::vector<double> times = p.times();
  const Trajectory run = record(model_of(p, integrator, h, p.last), times);
  if (run.moments.size() < times.size()) return std::numeric_limits<double>::quiet_NaN();
  const Reference& reference = motion(p, times);
  double sum = 0;
  for (std::size_t k = 0; k < times.size(); ++k) {
    const KnownMotion& body = reference.moments[k].bodies[0];
    sum += (observed(p, run.moments[k].bodies[0]) - (*body.position + *body.orientation * p.X)).norm();
  }
  return sum / static_cast<double>(times.size());
}

double force_error(const IntegratorChoice& integrator, double h, double from, double to) {
  const Problem& p = problem("7.5");
  std::vector<double> times;
  for (int k = 1; k <= static_cast<int>(std::lround(0.5 / h)); ++k) times.push_back(k * h);
  const Trajectory run = record(model_of(p, integrator, h, 0.5), times);
  if (run.moments.size() < times.size()) return std::numeric_limits<double>::quiet_NaN();
  const Reference& reference = motion(p, times);
  double largest = 0;
  for (std::size_t k = 0; k < times.size(); ++k)
    if (times[k] > from + 1e-9 && times[k] < to - 1e-9)
      largest = std::max(largest, (Eigen::Map<const Vec3>(run.moments[k].reactions.data()) -
                                   Eigen::Map<const Vec3>(reference.moments[k].reactions.data()))
                                      .norm());
  return largest;
}

double energy_after_ten_seconds(const Problem& p, const IntegratorChoice& integrator) {
  const Certificate c = Simulation(model_of(p, integrator, 1e-3, 10)).run();
  return c.reached_end() ? c.energy.final - c.energy.initial : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace polhode::papers::bruls_cardona

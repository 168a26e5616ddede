#include <polhode/study/spectrum_report.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <polhode/integrate/integrator_text.hpp>

namespace polhode {
namespace {

constexpr double same_within = 1e-9;  // spectra closer than that are the same, ratios below it none

/// Are a and b the same, or both no number?
bool same(double a, double b) {
  return std::isnan(a) ? std::isnan(b) : std::abs(a - b) <= same_within * std::max(1.0, std::abs(a));
}

bool same(const Spectrum& a, const Spectrum& b) {
  return std::equal(a.points.begin(), a.points.end(), b.points.begin(), b.points.end(),
                    [](const SpectralPoint& p, const SpectralPoint& q) {
                      return p.h_over_T == q.h_over_T && same(p.radius, q.radius) &&
                             same(p.period_error, q.period_error) && same(p.damping, q.damping);
                    });
}

std::string radius_text(double r) { return r < 100 ? fmt::format("{:.6f}", r) : fmt::format("{:.3g}", r); }
std::string error_text(double e) { return std::isnan(e) ? "real" : fmt::format("{:+.3e}", e); }
std::string damping_text(double xi) {
  return std::isnan(xi) ? "real" : std::abs(xi) < same_within ? "0" : fmt::format("{:.3e}", xi);
}

}  // namespace

std::string to_table(const std::vector<Spectrum>& spectra) {
  std::size_t name = 0;
  const Spectrum* longest = nullptr;
  for (const Spectrum& s : spectra) {
    name = std::max(name, to_text(s.integrator).size());
    if (!longest || s.points.size() > longest->points.size()) longest = &s;
  }
  if (!longest) return {};
  std::string out;
  const auto block = [&](const std::string& title, auto&& value) {
    out += fmt::format("{}{}\n{:<{}}", out.empty() ? "" : "\n", title, "h/T", name);
    for (const SpectralPoint& p : longest->points) out += fmt::format("  {:>10.4g}", p.h_over_T);
    out += '\n';
    for (const Spectrum& s : spectra) {
      if (s.points.empty()) continue;
      out += fmt::format("{:<{}}", to_text(s.integrator), name);
      for (const SpectralPoint& p : s.points) out += fmt::format("  {:>10}", value(p));
      out += '\n';
    }
  };
  block("spectral radius (above 1: unstable)", [](const SpectralPoint& p) { return radius_text(p.radius); });
  block("relative error of the period (positive: too long; real: no oscillation)",
        [](const SpectralPoint& p) { return error_text(p.period_error); });
  block("algorithmic damping ratio", [](const SpectralPoint& p) { return damping_text(p.damping); });
  for (const Spectrum& s : spectra)
    if (!s.note.empty())
      out += fmt::format("\n{} is left out{}: {}\n", to_text(s.integrator), s.points.empty() ? "" : " in part", s.note);
  return out;
}

std::string to_csv(const std::vector<Spectrum>& spectra) {
  std::string out = "integrator,h_over_t,spectral_radius,period_error,damping_ratio\n";
  const auto number = [](double value) { return std::isnan(value) ? std::string() : fmt::format("{}", value); };
  for (const Spectrum& s : spectra)
    for (const SpectralPoint& p : s.points)
      out += fmt::format("{},{},{},{},{}\n", to_text(s.integrator), p.h_over_T, number(p.radius),
                         number(p.period_error), number(p.damping));
  return out;
}

std::string to_json(const std::vector<Spectrum>& spectra) {
  Json out = Json::array();
  for (const Spectrum& s : spectra) {
    Json points = Json::array();
    for (const SpectralPoint& p : s.points) {
      Json roots = Json::array();
      for (const auto& root : p.roots) roots.push_back({root.real(), root.imag()});
      points.push_back({{"h_over_t", p.h_over_T},
                        {"spectral_radius", p.radius},
                        {"period_error", p.period_error},  // NaN is written as null
                        {"damping_ratio", p.damping},
                        {"roots", roots}});
    }
    out.push_back({{"integrator", to_text(s.integrator)}, {"points", points}, {"note", s.note}});
  }
  return out.dump(2);
}

std::vector<Figure> figures(const std::vector<Spectrum>& spectra) {
  const Axis h{.label = "step over period, h/T [-]", .logarithmic = true};
  std::vector<Figure> out(3);
  out[0] = {.title = "Spectral radius", .x = h, .y = {"largest |root| [-]", false, std::pair{0.0, 1.3}}, .curves = {}};
  out[1] = {.title = "Error of the period",
            .x = h,
            .y = {"size of the relative error [-]", true, std::pair{1e-6, 10.0}},
            .curves = {}};
  out[2] = {
      .title = "Algorithmic damping", .x = h, .y = {"damping ratio ξ [-]", true, std::pair{1e-6, 1.0}}, .curves = {}};
  out[0].legend = out[1].legend = Figure::Legend::none;
  out[2].legend = Figure::Legend::right;
  out[1].slopes = {{2, "order 2"}};
  for (Figure& figure : out) figure.width = 300;
  std::vector<const Spectrum*> drawn;
  for (const Spectrum& s : spectra) {
    if (s.points.empty()) continue;
    const auto twin = std::find_if(drawn.begin(), drawn.end(), [&](const Spectrum* other) { return same(*other, s); });
    if (twin != drawn.end()) {
      for (Figure& figure : out)
        figure.curves[static_cast<std::size_t>(twin - drawn.begin())].label += ",\n" + to_text(s.integrator);
      continue;
    }
    drawn.push_back(&s);
    for (Figure& figure : out) figure.curves.push_back({.label = to_text(s.integrator), .x = {}, .y = {}});
    std::vector<SpectralPoint> ascending = s.points;
    std::sort(ascending.begin(), ascending.end(), [](const auto& a, const auto& b) { return a.h_over_T < b.h_over_T; });
    for (const SpectralPoint& p : ascending) {
      for (Figure& figure : out) figure.curves.back().x.push_back(p.h_over_T);
      out[0].curves.back().y.push_back(p.radius);
      out[1].curves.back().y.push_back(std::abs(p.period_error));
      out[2].curves.back().y.push_back(p.damping > same_within ? p.damping : std::nan(""));
    }
  }
  return out;
}

}  // namespace polhode

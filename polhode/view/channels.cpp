#include <polhode/view/channels.hpp>

#include <algorithm>
#include <cmath>

#include <polhode/io/json_document.hpp>
#include <polhode/view/decimate.hpp>

namespace polhode::view {
namespace {

using Json = nlohmann::ordered_json;
using Numbers = std::vector<double>;

constexpr std::size_t most_points = 4000;        // of a curve of the run as a whole
constexpr std::size_t most_numbers = 1'500'000;  // of all curves of bodies and joints together

struct Named {
  std::string name;
  Channel channel;
};

struct GroupSpec {
  const char *id, *title, *per, *unit;
  bool log = false;
  std::size_t item = 0;
};

/// A group: the samples that its channels need, their times, and the channels there.
Json group(const GroupSpec& spec, const Numbers& time, const std::vector<Named>& named, std::size_t most,
           PackageWriter& out) {
  std::vector<Channel> channels;
  for (const Named& one : named) channels.push_back(one.channel);
  const Samples samples = keep_extremes(channels, time.size(), most);
  Numbers times;
  for (const auto k : samples) times.push_back(time[k]);
  Json list = Json::array();
  for (const auto& [name, channel] : named) {
    std::vector<float> values;
    double least = time.empty() ? 0 : channel[0], largest = least;
    for (const auto k : samples) {
      values.push_back(static_cast<float>(channel[k]));
      least = std::min(least, channel[k]);
      largest = std::max(largest, channel[k]);
    }
    list.push_back({{"name", name}, {"values", out.f32(values)}, {"min", least}, {"max", largest}});
  }
  return {{"id", spec.id},     {"title", spec.title}, {"per", spec.per},        {"item", spec.item},
          {"unit", spec.unit}, {"log", spec.log},     {"time", out.f64(times)}, {"channels", list}};
}

/// What an error of the energy is relative to: as in the certificate, or the same from the samples.
double energy_scale(const ResultReader& reader, const Numbers& kinetic, const Numbers& potential,
                    const Numbers& strain) {
  if (!reader.head().certificate_json.empty()) {
    const Json certificate = parse_ordered_json(reader.head().certificate_json, reader.path() + ": certificate");
    if (certificate.contains("energy") && certificate["energy"].contains("scale"))
      if (const Json& scale = certificate["energy"]["scale"]; scale.is_number()) return scale.get<double>();
  }
  if (kinetic.empty()) return 0;
  const auto largest = [](const Numbers& n) { return *std::max_element(n.begin(), n.end()); };
  return std::max(
      {largest(kinetic), largest(potential) - *std::min_element(potential.begin(), potential.end()), largest(strain)});
}

}  // namespace

Json run_groups(const ResultReader& reader, PackageWriter& out) {
  const Numbers time = reader["time"], kinetic = reader["energy/kinetic"], potential = reader["energy/gravitational"],
                strain = reader["energy/strain"], work = reader["energy/work"],
                dissipated = reader["energy/dissipated"], algorithmic = reader["energy/algorithmic"],
                linear = reader["momentum/linear"], angular = reader["momentum/angular"],
                position = reader["residuals/position"], velocity = reader["residuals/velocity"],
                newton = reader["newton/iterations"];
  const std::size_t n = time.size();
  Numbers total(n), error(n), balance(n);
  const double scale = energy_scale(reader, kinetic, potential, strain);
  for (std::size_t k = 0; k < n; ++k) {
    total[k] = kinetic[k] + potential[k] + strain[k];
    error[k] = std::abs(total[k] - total[0]) / (scale > 0 ? scale : 1);
    balance[k] = std::abs(algorithmic[k]) / (scale > 0 ? scale : 1);
  }
  const auto xyz = [](const Numbers& numbers) {
    return std::vector<Named>{{"x", {numbers, 3, 0}}, {"y", {numbers, 3, 1}}, {"z", {numbers, 3, 2}}};
  };
  Json groups = Json::array();
  const auto add = [&](const GroupSpec& spec, const std::vector<Named>& named) {
    groups.push_back(group(spec, time, named, most_points, out));
  };
  add({"energy", "energy", "run", "J"}, {{"total", {total}},
                                         {"kinetic", {kinetic}},
                                         {"gravitational", {potential}},
                                         {"strain", {strain}},
                                         {"work", {work}},
                                         {"dissipated", {dissipated}}});
  add({"energy_error", "energy error", "run", "1", true}, {{"balance", {balance}}, {"change", {error}}});
  add({"linear_momentum", "linear momentum", "run", "kg m/s"}, xyz(linear));
  add({"angular_momentum", "angular momentum", "run", "kg m^2/s"}, xyz(angular));
  if (!reader.head().layout.rows.empty())
    add({"residuals", "residuals", "run", "m, rad; m/s, rad/s", true},
        {{"position", {position}}, {"velocity", {velocity}}});
  add({"newton", "Newton iterations", "run", "1"}, {{"", {newton}}});
  return groups;
}

Json item_groups(const ResultReader& reader, PackageWriter& out) {
  const ResultLayout& layout = reader.head().layout;
  const Numbers time = reader["time"];
  const std::size_t bodies = layout.bodies.size(), joints = layout.joints.size();
  const std::size_t most =
      std::clamp<std::size_t>(most_numbers / std::max<std::size_t>(1, 13 * bodies + 8 * joints), 40, most_points);
  Json groups = Json::array();

  const auto add_bodies = [&](const char* dataset, GroupSpec spec, const std::vector<std::string>& names) {
    const Numbers numbers = reader[dataset];
    const std::size_t width = names.size() * bodies;
    for (spec.item = 0; spec.item < bodies; ++spec.item) {
      std::vector<Named> named;
      for (std::size_t k = 0; k < names.size(); ++k)
        named.push_back({names[k], {numbers, width, names.size() * spec.item + k}});
      groups.push_back(group(spec, time, named, most, out));
    }
  };
  add_bodies("bodies/position", {"position", "position", "body", "m"}, {"x", "y", "z"});
  add_bodies("bodies/velocity", {"velocity", "velocity", "body", "m/s"}, {"x", "y", "z"});
  add_bodies("bodies/quaternion", {"orientation", "orientation, quaternion", "body", "1"}, {"w", "x", "y", "z"});
  add_bodies("bodies/angular_velocity", {"angular_velocity", "angular velocity, in the body", "body", "rad/s"},
             {"x", "y", "z"});

  const Numbers reaction = reader["joints/reaction"];
  const auto add_joints = [&](GroupSpec spec, std::size_t first) {
    for (spec.item = 0; spec.item < joints; ++spec.item) {
      const auto part = [&](std::size_t k) { return Channel{reaction, 6 * joints, 6 * spec.item + first + k}; };
      Numbers size(time.size());
      for (std::size_t k = 0; k < size.size(); ++k) size[k] = std::hypot(part(0)[k], part(1)[k], part(2)[k]);
      groups.push_back(
          group(spec, time, {{"1", part(0)}, {"2", part(1)}, {"3", part(2)}, {"size", {size}}}, most, out));
    }
  };
  add_joints({"force", "reaction force on b, in the joint's axes", "joint", "N"}, 0);
  add_joints({"torque", "reaction torque on b, in the joint's axes", "joint", "N m"}, 3);
  return groups;
}

}  // namespace polhode::view

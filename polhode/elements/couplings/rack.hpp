// Rack: ties the travel of a joint to the angle of another one. 1 equation,
//   0 = travel_1 - radius angle_2 - (travel_1 at the model pose).
#pragma once

#include <polhode/elements/coupling.hpp>

namespace polhode {

struct Rack {
  std::string name{};
  Names joints{};
  double radius = 0;
  bool operator==(const Rack&) const = default;
};

inline void compile(const Rack& rack, Builder& build) {
  build.row("rack")
      .add(rack.joints[0], Coordinate::travel, 1)
      .add(rack.joints[1], Coordinate::angle, -rack.radius)
      .zero_at_pose();
}

inline void check(const Rack& rack, Check& check) {
  check.free_coordinate("joints[0]", rack.joints[0], Coordinate::travel, "rack");
  check.free_coordinate("joints[1]", rack.joints[1], Coordinate::angle, "rack");
}

template <>
inline constexpr auto fields_of<Rack> =
    fields(coupling_fields<Rack>,
           field<&Rack::radius>("m", "travel_1 - radius * angle_2 = 0",
                                {.need = Need::required,
                                 .allowed = {.nonzero = true, .remark = ", which ties nothing together"}}));
template <>
inline constexpr CouplingKind kind<Rack> = coupling_kind<Rack>(
    {.word = "rack",
     .summary = "ties the travel of a joint to the angle of another one: travel_1 - radius * angle_2 = 0",
     .order = 2});

}  // namespace polhode

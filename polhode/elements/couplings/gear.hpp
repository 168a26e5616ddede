// Gear: ties the angles of two joints. 1 equation, 0 = angle_1 + ratio angle_2.
#pragma once

#include <polhode/elements/coupling.hpp>

namespace polhode {

struct Gear {
  std::string name{};
  Names joints{};
  double ratio = 1;
  bool operator==(const Gear&) const = default;
};

inline void compile(const Gear& gear, Builder& build) {
  build.row("gear").add(gear.joints[0], Coordinate::angle, 1).add(gear.joints[1], Coordinate::angle, gear.ratio);
}

inline void check(const Gear& gear, Check& check) {
  check.free_coordinate("joints[0]", gear.joints[0], Coordinate::angle, "gear");
  check.free_coordinate("joints[1]", gear.joints[1], Coordinate::angle, "gear");
}

template <>
inline constexpr auto fields_of<Gear> =
    fields(coupling_fields<Gear>,
           field<&Gear::ratio>("", "angle_1 + ratio * angle_2 = 0",
                               {.need = Need::required,
                                .allowed = {.nonzero = true, .remark = ", which ties nothing together"}}));
template <>
inline constexpr CouplingKind kind<Gear> = coupling_kind<Gear>(
    {.word = "gear", .summary = "ties the angles of two joints: angle_1 + ratio * angle_2 = 0", .order = 1});

}  // namespace polhode

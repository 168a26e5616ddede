// Joints and couplings as a user describes them: values that hold one of many kinds, each a header of elements/. What
// is known of a kind beyond its fields stands here.
#pragma once

#include <polhode/describe/value.hpp>
#include <polhode/model/anchors.hpp>
#include <polhode/model/coordinate.hpp>

namespace polhode {

class Builder;  // system/builder.hpp: what a kind compiles to
class Check;    // model/check.hpp: what a kind may find wrong

/// What an element looks like: a closed list, so that viewers need not know kinds.
enum class Look {
  none,
  ball,
  pin,
  cross,
  sleeve,
  thread,
  slider,
  slab,
  plane_point,
  line_point,
  block,
  rod,
  dot,
  spring
};
template <>
inline constexpr auto words<Look> = std::to_array<Word>({{"none"},
                                                         {"ball"},
                                                         {"pin"},
                                                         {"cross"},
                                                         {"sleeve"},
                                                         {"thread"},
                                                         {"slider"},
                                                         {"slab"},
                                                         {"plane-point"},
                                                         {"line-point"},
                                                         {"block"},
                                                         {"rod"},
                                                         {"dot"},
                                                         {"spring"}});

/// Which bodies of a joint must have an orientation: particles have none.
enum class Turning { neither, a, both };

/// What a kind of joint says of itself beside its fields.
struct JointTraits {
  std::string_view word, summary;
  int equations = 0;
  Coordinates free{};                 ///< what it leaves free, and a drive or a force may name
  bool tied = false;                  ///< its free coordinates determine each other: the first is the default
  std::optional<Coordinate> keeps{};  ///< what it keeps as it is: no drive can move it
  Turning turning = Turning::both;
  bool crossed = false;   ///< its axes are two, perpendicular; otherwise they are one direction
  bool oriented = false;  ///< its rows cannot tell the axis of b from its opposite: the start checks the sign
  Look look = Look::dot;
  int order = 1000;  ///< of documentation, and of evaluation
};

struct JointKind : Description, JointTraits {
  using JointTraits::summary, JointTraits::word;
  std::string* (*name)(void*) = nullptr;
  const Names* (*between)(const void*) = nullptr;
  Anchors (*anchors)(const void*) = nullptr;
  void (*check)(const void*, Check&) = nullptr;  ///< what fields alone cannot show
  void (*compile)(const void*, Builder&) = nullptr;

  /// The coordinate that is meant if none is named.
  std::optional<Coordinate> usual() const {
    return free.count == 1 || (tied && free.count > 0) ? std::optional(free.list[0]) : std::nullopt;
  }
};

/// A rigid connection between two bodies.
class Joint : public Value<JointKind> {
 public:
  using Value::Value;
  const Names& between() const { return *kind().between(data()); }
  Anchors anchors() const { return kind().anchors(data()); }
};

struct CouplingTraits {
  std::string_view word, summary;
  int equations = 1;
  int order = 1000;
};

struct CouplingKind : Description, CouplingTraits {
  using CouplingTraits::summary, CouplingTraits::word;
  std::string* (*name)(void*) = nullptr;
  const Names* (*joints)(const void*) = nullptr;
  void (*check)(const void*, Check&) = nullptr;
  void (*compile)(const void*, Builder&) = nullptr;
};

/// Ties the motions of two joints together.
class Coupling : public Value<CouplingKind> {
 public:
  using Value::Value;
  const Names& joints() const { return *kind().joints(data()); }
};

/// All kinds, in their order: those of the library, and those that were added.
const std::vector<const JointKind*>& joint_kinds();
const std::vector<const CouplingKind*>& coupling_kinds();

/// Adds a kind of your own, before a model is read that names it. ModelError if its word is taken.
void add_kind(const JointKind& kind);
void add_kind(const CouplingKind& kind);

namespace detail {

/// What all kinds of elements have: their name, checks and equations, as functions of a struct that is found by its
/// type.
template <class S, class Kind>
constexpr void fill(Kind& out) {
  out.name = [](void* p) { return &static_cast<S*>(p)->name; };
  if constexpr (requires(const S& s, Check& c) { check(s, c); })
    out.check = [](const void* p, Check& c) { check(*static_cast<const S*>(p), c); };
  out.compile = [](const void* p, Builder& build) { compile(*static_cast<const S*>(p), build); };
}

}  // namespace detail

template <class S>
constexpr JointKind joint_kind(const JointTraits& traits) {
  JointKind out{describe<S>(traits.word, traits.summary), traits};
  detail::fill<S>(out);
  out.between = [](const void* p) { return &static_cast<const S*>(p)->between; };
  out.anchors = [](const void* p) { return anchors_of(*static_cast<const S*>(p)); };
  return out;
}

template <class S>
constexpr CouplingKind coupling_kind(const CouplingTraits& traits) {
  CouplingKind out{describe<S>(traits.word, traits.summary), traits};
  detail::fill<S>(out);
  out.joints = [](const void* p) { return &static_cast<const S*>(p)->joints; };
  return out;
}

template <class S>
inline constexpr auto joint_fields =
    fields(field<&S::name>("", "unique within joints",
                           {.need = Need::shown, .otherwise = "its place, such as joints[0]", .definition = "name"}),
           between_field<S>);
template <class S>
inline constexpr auto coupling_fields =
    fields(field<&S::name>("", "unique within joints",
                           {.need = Need::shown, .otherwise = "its place, such as joints[0]", .definition = "name"}),
           field<&S::joints>("", "names of two joints", {.need = Need::required, .definition = "two_joints"}));

}  // namespace polhode

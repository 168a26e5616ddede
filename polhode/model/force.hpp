// Forces as a user describes them: a value that holds one of many kinds, each a header of elements/forces/.
#pragma once

#include <polhode/describe/numbers.hpp>
#include <polhode/model/joint.hpp>

namespace polhode {

struct LawOutput;  // system/law_output.hpp

/// What elements of a kind show of themselves in results: a described struct, made from what their law is at an
/// instant.
struct OutputKind : Description {
  void (*append)(const LawOutput& law, std::vector<double>& numbers) = nullptr;
};

/// Specialised beside a kind that shows something, before the kind.
template <class S>
inline constexpr auto output_of = nullptr;

/// Of a struct Output with its table of fields and a function Output::of(const LawOutput&).
template <class Output>
constexpr OutputKind output_kind() {
  return {describe<Output>("output", "what it shows of itself in results"),
          [](const LawOutput& law, std::vector<double>& numbers) {
            const Output output = Output::of(law);
            append_numbers(describe<Output>("", ""), &output, numbers);
          }};
}

/// What a kind of force says of itself beside its fields.
struct ForceTraits {
  std::string_view word, summary;
  bool load = false;       ///< it does work that the energy of the model does not hold
  bool in_memory = false;  ///< computed by a program: a file cannot hold it
  Look look = Look::none;
  int order = 1000;
};

struct ForceKind : Description, ForceTraits {
  using ForceTraits::summary, ForceTraits::word;
  std::string* (*name)(void*) = nullptr;
  Anchors (*anchors)(const void*) = nullptr;
  bool (*damped)(const void*) = nullptr;  ///< does it dissipate?
  const OutputKind* output = nullptr;     ///< what it shows in results; null: nothing
  void (*check)(const void*, Check&) = nullptr;
  void (*compile)(const void*, Builder&) = nullptr;
};

/// A force element or a load.
class Force : public Value<ForceKind> {
 public:
  using Value::Value;
  Anchors anchors() const { return kind().anchors(data()); }
  bool damped() const { return kind().damped(data()); }
};

const std::vector<const ForceKind*>& force_kinds();
void add_kind(const ForceKind& kind);

template <class S>
constexpr ForceKind force_kind(const ForceTraits& traits) {
  ForceKind out{describe<S>(traits.word, traits.summary), traits};
  detail::fill<S>(out);
  out.anchors = [](const void* p) { return anchors_of(*static_cast<const S*>(p)); };
  if constexpr (!std::is_null_pointer_v<std::remove_cv_t<decltype(output_of<S>)>>) out.output = &output_of<S>;
  out.damped = [](const void* p) {
    if constexpr (requires(const S& s) { s.damping.isZero(0); })
      return !static_cast<const S*>(p)->damping.isZero(0);
    else if constexpr (requires(const S& s) { s.damping != 0.0; })
      return static_cast<const S*>(p)->damping != 0.0;
    else
      return false;
  };
  return out;
}

template <class S>
inline constexpr FieldInfo force_name_field =
    field<&S::name>("", "unique within forces",
                    {.need = Need::shown, .otherwise = "its place, such as forces[0]", .definition = "name"});
template <class S>
inline constexpr FieldInfo joint_name_field = field<&S::joint>("", "name of the joint", {.need = Need::required});

/// Of stiffness and damping.
inline constexpr Allowed not_negative{.least = 0, .remark = "; a negative one feeds energy", .only_odd = true};

}  // namespace polhode

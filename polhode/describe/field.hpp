// A struct described once: `field<&Screw::pitch>("m/rad", "travel per angle")` is an entry of a table. Reader, writer,
// key errors, checks, overrides, schema, Python classes, help and documentation are ordinary functions over such
// tables, written once for every type that a field can have (value_type.hpp). Nothing is compiled per struct, apart
// from an accessor of a few bytes a field.
#pragma once

#include <array>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <polhode/describe/words.hpp>
#include <polhode/lie/algebra.hpp>

namespace polhode {

using Names = std::array<std::string, 2>;

struct ValueType;
struct Description;

/// How values of type T are read, written and checked; specialised in value_type.cpp and beside types of the model.
template <class T>
const ValueType& value_type_of();
template <>
const ValueType& value_type_of<double>();
template <>
const ValueType& value_type_of<std::optional<double>>();
template <>
const ValueType& value_type_of<int>();
template <>
const ValueType& value_type_of<bool>();
template <>
const ValueType& value_type_of<std::string>();
template <>
const ValueType& value_type_of<Names>();
template <>
const ValueType& value_type_of<Vec3>();
template <>
const ValueType& value_type_of<std::optional<Vec3>>();
template <>
const ValueType& value_type_of<Vec6>();
template <>
const ValueType& value_type_of<Quaternion>();
template <>
const ValueType& value_type_of<std::vector<double>>();
const ValueType& word_type();    ///< of an enumeration, by its words
const ValueType& struct_type();  ///< of a described struct inside another one

/// Which numbers make sense. Part of the schema, so that editors refuse what the reader refuses.
struct Allowed {
  double least = -std::numeric_limits<double>::infinity(), most = std::numeric_limits<double>::infinity();
  bool open = false;             ///< the ends themselves are not allowed
  bool nonzero = false;          ///< of a vector: it has a direction
  std::string_view remark{};     ///< the end of a message, `; give a mass > 0 kg`
  bool only_odd = false;         ///< other numbers are a warning, and no matter for the schema
  std::array<int, 4> numbers{};  ///< the only ones, if there are any; 0: no further one
};
inline constexpr Allowed has_direction{.nonzero = true};

enum class Need {
  optional,  ///< may be left out; written if it differs from its default
  shown,     ///< may be left out, but is always written
  required
};

/// What else may be known of a field.
struct Details {
  Need need = Need::optional;
  std::string_view otherwise{};  ///< what holds if it is left out, where the default of the struct does not say it
  Allowed allowed{};
  std::string_view missing{};     ///< for a required field, what to do about it: the end of a message
  std::string_view word{};        ///< where it is not the member's name
  std::string_view definition{};  ///< of the schema, where its type alone does not say enough
  std::string_view instead_of{};  ///< the field that this one says in another way: only one of them can be given
};

struct FieldInfo {
  std::string_view word, unit, meaning;
  Details details{};
  const ValueType& (*type)() = nullptr;
  void* (*of)(void* object) = nullptr;      ///< the member of an object
  std::span<const Word> words{};            ///< of an enumeration
  const Description* (*inner)() = nullptr;  ///< of a struct
};

/// Any struct that has words: an element, a set of options.
struct Description {
  std::string_view word, summary;
  std::span<const FieldInfo> fields;
  std::span<const std::string_view> rules{};  ///< what no single field can say, each an object of JSON schema
  std::shared_ptr<void> (*make)() = nullptr;  ///< one with its defaults: these stand at the members
  std::shared_ptr<void> (*copy)(const void*) = nullptr;
  bool (*equal)(const void*, const void*) = nullptr;

  const FieldInfo* find(std::string_view field_word) const {
    for (const FieldInfo& field : fields)
      if (field.word == field_word) return &field;
    return nullptr;
  }
};

/// The table of a struct, what no field of it says alone, and all that is known of it (a Description, JointKind,
/// ForceKind, ...): specialised beside the struct.
template <class S>
inline constexpr auto fields_of = nullptr;
template <class S>
inline constexpr std::array<std::string_view, 0> rules_of{};
template <class S>
inline constexpr auto kind = nullptr;

namespace detail {

template <auto member>
consteval std::string_view member_name() {  // the end of "... [with auto member = &polhode::Screw::pitch; ...]"
  std::string_view text = __PRETTY_FUNCTION__;
  text.remove_prefix(text.find("member = ") + 9);
  text = text.substr(0, text.find_first_of(";]"));
  while (text.ends_with(')')) text.remove_suffix(1);
  return text.substr(text.rfind(':') + 1);
}

template <class>
struct MemberOf;
template <class T, class S>
struct MemberOf<T S::*> {
  using Struct = S;
  using Type = T;
};

template <class T>
concept has_description = !std::is_same_v<std::remove_cv_t<decltype(kind<T>)>, std::nullptr_t>;

}  // namespace detail

/// The entry of a member. Its word is the member's own name, unless the details say otherwise: one spelling everywhere.
template <auto member>
constexpr FieldInfo field(std::string_view unit, std::string_view meaning, Details details = {}) {
  using M = detail::MemberOf<decltype(member)>;
  using T = typename M::Type;
  FieldInfo out{details.word.empty() ? detail::member_name<member>() : details.word, unit, meaning, details};
  out.of = [](void* object) -> void* { return &(static_cast<typename M::Struct*>(object)->*member); };
  if constexpr (std::is_enum_v<T>) {
    static_assert(sizeof(T) == sizeof(int));
    out.type = word_type;
    out.words = words<T>;
  } else if constexpr (detail::has_description<T>) {
    out.type = struct_type;
    out.inner = []() -> const Description* { return &kind<T>; };
  } else {
    out.type = value_type_of<T>;
  }
  return out;
}

/// One table of fields and tables.
template <class... Parts>
constexpr auto fields(const Parts&... parts) {
  constexpr auto size_of = []<class P>(const P*) {
    if constexpr (std::is_same_v<P, FieldInfo>)
      return std::size_t(1);
    else
      return std::tuple_size_v<P>;
  };
  std::array<FieldInfo, (size_of(static_cast<const Parts*>(nullptr)) + ... + 0)> all;
  std::size_t n = 0;
  const auto add = [&](const auto& part) {
    if constexpr (std::is_same_v<std::decay_t<decltype(part)>, FieldInfo>)
      all[n++] = part;
    else
      for (const FieldInfo& one : part) all[n++] = one;
  };
  (add(parts), ...);
  return all;
}

/// The description of a struct whose tables are `fields_of` and `rules_of`.
template <class S>
constexpr Description describe(std::string_view word, std::string_view summary,
                               std::span<const FieldInfo> table = fields_of<S>) {
  return {word,
          summary,
          table,
          rules_of<S>,
          [] { return std::shared_ptr<void>(std::make_shared<S>()); },
          [](const void* p) { return std::shared_ptr<void>(std::make_shared<S>(*static_cast<const S*>(p))); },
          [](const void* a, const void* b) { return *static_cast<const S*>(a) == *static_cast<const S*>(b); }};
}

}  // namespace polhode

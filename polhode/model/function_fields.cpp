// The fields of functions of time, and which functions make sense.
#include <fmt/format.h>

#include <polhode/describe/object.hpp>
#include <polhode/model/function.hpp>

namespace polhode {
namespace {

constexpr Details needed{.need = Need::required};
constexpr FieldInfo times = field<&Function::times>("s", "increasing", needed);

constexpr auto constant_fields = fields(field<&Function::value>("", "the value", needed));
constexpr auto polynomial_fields = fields(field<&Function::coefficients>("", "c0, c1, ...", needed));
constexpr auto harmonic_fields =
    fields(field<&Function::amplitude>("", "of the oscillation", needed),
           field<&Function::angular_frequency>("rad/s", "", needed), field<&Function::phase>("rad", ""),
           field<&Function::offset>("", "what it oscillates about"));
constexpr auto ramp_fields = fields(
    field<&Function::from>("", "value before start", needed), field<&Function::to>("", "value after end", needed),
    field<&Function::start>("s", "", needed), field<&Function::end>("s", "after start", needed),
    field<&Function::smooth>("", "quintic, velocity and acceleration 0 at both ends"));
constexpr auto table_fields =
    fields(times, field<&Function::values>("", "as many as times", needed), field<&Function::interpolation>("", ""));
constexpr auto piecewise_fields =
    fields(times, field<&Function::terms>("", "as many as times", {.need = Need::required, .word = "functions"}));
constexpr auto sum_fields =
    fields(field<&Function::terms>("", "what is added", {.need = Need::required, .word = "functions"}));

bool read_function(const JsonValue& in, Function& out) {
  if (in.value.is_number()) return read(in, out.value);
  if (!in.value.is_object()) return in.expected("a number or a function such as {\"type\": \"harmonic\", ...}");
  static constexpr FieldInfo type_field = field<&Function::type>("", "");
  if (!in.value.contains("type")) return in.report.error(in.key, fmt::format("{}.type is missing", in.key)), false;
  if (!type_field.type().read(in.at("type"), type_field, &out.type)) return false;
  const Kinds types = function_types();
  const bool sound = read_object(in, *types[static_cast<std::size_t>(out.type)], &out, types);
  out.prepare();
  return sound;
}

Json write_function(const Function& f) {
  if (f.type == Function::Type::constant) return f.value;
  Json out = {{"type", std::string(name_of(f.type))}};
  out.update(write_object(*function_types()[static_cast<std::size_t>(f.type)], &f));
  return out;
}

bool read_list(const JsonValue& in, std::vector<Function>& out) {
  out.resize(in.value.size());
  bool sound = true;
  for (std::size_t k = 0; k < out.size(); ++k) sound &= read_function(in.entry(k), out[k]);
  return sound;
}

Json write_list(const std::vector<Function>& functions) {
  Json list = Json::array();
  for (const Function& f : functions) list.push_back(write_function(f));
  return list;
}

bool all_finite(const std::vector<double>& numbers, const std::string& key, Reporter& report) {
  for (std::size_t k = 0; k < numbers.size(); ++k)
    if (!report.finite(fmt::format("{}[{}]", key, k), numbers[k])) return false;
  return true;
}

void increasing(const std::vector<double>& numbers, const std::string& key, Reporter& report) {
  if (!all_finite(numbers, key, report)) return;
  for (std::size_t k = 1; k < numbers.size(); ++k)
    if (numbers[k] <= numbers[k - 1])
      return report.error(
          key, fmt::format("{0}[{1}] is {2} after {3}; times must increase", key, k, numbers[k], numbers[k - 1]));
}

void one_each(std::size_t count, std::size_t others, const std::string& key, const char* word, Reporter& report) {
  if (count != others)
    report.error(key + ".times",
                 fmt::format("{}.times has {} entries but {} has {}; they must match", key, count, word, others));
  else if (count == 0)
    report.error(key + ".times", fmt::format("{}.times is empty; give at least one", key));
}

void check_function(const Function& f, const std::string& key, Reporter& report) {
  using Type = Function::Type;
  switch (f.type) {
    case Type::constant: report.finite(key, f.value); break;
    case Type::harmonic: check_object(*function_types()[static_cast<std::size_t>(f.type)], &f, report, key); break;
    case Type::polynomial:
      if (f.coefficients.empty()) report.error(key, fmt::format("{}.coefficients is empty; give at least one", key));
      all_finite(f.coefficients, key + ".coefficients", report);
      break;
    case Type::ramp:
      report.finite(key + ".from", f.from);
      report.finite(key + ".to", f.to);
      if (report.finite(key + ".start", f.start) && report.finite(key + ".end", f.end) && f.end <= f.start)
        report.error(key + ".end",
                     fmt::format("{}.end is {} and start is {}; a ramp takes time (for a jump use piecewise)", key,
                                 f.end, f.start));
      break;
    case Type::table:
      one_each(f.times.size(), f.values.size(), key, "values", report);
      increasing(f.times, key + ".times", report);
      all_finite(f.values, key + ".values", report);
      if (f.interpolation == Function::Interpolation::cubic && f.times.size() == f.values.size() &&
          f.curvatures.size() != f.times.size())
        report.error(key, fmt::format("{} is a cubic table that was not prepared; call Function::prepare()", key));
      break;
    case Type::piecewise:
    case Type::sum:
      if (f.type == Type::piecewise) {
        one_each(f.times.size(), f.terms.size(), key, "functions", report);
        increasing(f.times, key + ".times", report);
      } else if (f.terms.empty()) {
        report.error(key, fmt::format("{}.functions is empty; give at least one", key));
      }
      for (std::size_t k = 0; k < f.terms.size(); ++k)
        check_function(f.terms[k], fmt::format("{}.functions[{}]", key, k), report);
      break;
  }
}

}  // namespace

std::vector<const Description*> function_types() {
  static const Description all[] = {
      describe<Function>("constant", "value", constant_fields),
      describe<Function>("polynomial", "c0 + c1 t + c2 t^2 + ...", polynomial_fields),
      describe<Function>("harmonic", "offset + amplitude sin(angular_frequency t + phase)", harmonic_fields),
      describe<Function>("ramp", "from until start, to from end on; straight between them, or smooth", ramp_fields),
      describe<Function>("table", "interpolated between times and values, constant outside", table_fields),
      describe<Function>("piecewise",
                         "the k-th function for times[k] <= t < times[k+1], the last from then on, 0 before the first",
                         piecewise_fields),
      describe<Function>("sum", "the sum of functions", sum_fields)};
  std::vector<const Description*> list;
  for (const Description& one : all) list.push_back(&one);
  return list;
}

template <>
const ValueType& value_type_of<Function>() {
  static const ValueType type{
      [](const JsonValue& in, const FieldInfo&, void* to) { return read_function(in, *static_cast<Function*>(to)); },
      [](const FieldInfo&, const void* from) { return write_function(*static_cast<const Function*>(from)); },
      [](const FieldInfo&) { return reference_to("function"); }, "AnyFunction",
      [](const FieldInfo&, const void* from, const std::string& key, Reporter& report) {
        check_function(*static_cast<const Function*>(from), key, report);
      }};
  return type;
}

template <>
const ValueType& value_type_of<std::vector<Function>>() {
  static const ValueType type{
      [](const JsonValue& in, const FieldInfo&, void* to) {
        return in.value.is_array() ? read_list(in, *static_cast<std::vector<Function>*>(to))
                                   : in.expected("a list of functions");
      },
      [](const FieldInfo&, const void* from) { return write_list(*static_cast<const std::vector<Function>*>(from)); },
      [](const FieldInfo&) {
        return Json{{"type", "array"}, {"items", reference_to("function")}, {"minItems", 1}};
      },
      "Sequence[AnyFunction]"};
  return type;
}

template <>
const ValueType& value_type_of<LoadFunctions>() {
  static const ValueType type{
      [](const JsonValue& in, const FieldInfo&, void* to) {
        LoadFunctions& out = *static_cast<LoadFunctions*>(to);
        if (in.value.is_array())
          return in.value.size() == 3 ? read_list(in, out) : in.expected("one function or a list of three");
        out.resize(1);
        return read_function(in, out[0]);
      },
      [](const FieldInfo&, const void* from) {
        const LoadFunctions& f = *static_cast<const LoadFunctions*>(from);
        return f.size() == 1 ? write_function(f[0]) : write_list(f);
      },
      [](const FieldInfo&) { return reference_to("load_function"); }, "AnyFunction | Sequence[AnyFunction]",
      [](const FieldInfo&, const void* from, const std::string& key, Reporter& report) {
        const LoadFunctions& f = *static_cast<const LoadFunctions*>(from);
        for (std::size_t k = 0; k < f.size(); ++k)
          check_function(f[k], f.size() == 1 ? key : fmt::format("{}[{}]", key, k), report);
        if (f.size() == 2 || f.size() > 3)
          report.error(key, fmt::format("{} has {} entries; give one, or three", key, f.size()));
      }};
  return type;
}

}  // namespace polhode

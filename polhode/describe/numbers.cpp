// Fields that are numbers: others are none, and not counted.
#include <polhode/describe/numbers.hpp>

namespace polhode {

std::vector<NumberInfo> numbers_of(const Description& description) {
  std::vector<NumberInfo> out;
  for (const FieldInfo& field : description.fields) {
    const auto add = [&](const std::string& end) {
      out.push_back({std::string(field.word) + end, std::string(field.unit), std::string(field.meaning)});
    };
    if (field.type == value_type_of<double>) add("");
    if (field.type == value_type_of<Vec3>)
      for (const char* end : {".x", ".y", ".z"}) add(end);
  }
  return out;
}

void append_numbers(const Description& description, const void* object, std::vector<double>& out) {
  for (const FieldInfo& field : description.fields) {
    const void* const member = field.of(const_cast<void*>(object));
    if (field.type == value_type_of<double>) out.push_back(*static_cast<const double*>(member));
    if (field.type == value_type_of<Vec3>) {
      const Vec3& v = *static_cast<const Vec3*>(member);
      out.insert(out.end(), v.data(), v.data() + 3);
    }
  }
}

}  // namespace polhode

// The schema that editors use and the tables that the reader uses allow the same keys for the same types.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>

#include <gtest/gtest.h>

#include <polhode/io/model_keys.hpp>

namespace polhode::model_schema_test {
namespace {

using nlohmann::json;
using KeysByType = std::map<std::string, std::set<std::string>>;

json schema() {
  std::ifstream file(POLHODE_SOURCE_DIR "/schema/model.schema.json");
  return json::parse(file);
}

std::set<std::string> keys_of(const json& properties) {
  std::set<std::string> keys;
  for (const auto& [key, value] : properties.items()) keys.insert(key);
  return keys;
}

KeysByType in_schema(const char* kind) {
  KeysByType found;
  const json whole = schema();
  for (const json& form : whole["$defs"][kind]["oneOf"]) {
    if (!form.contains("properties")) continue;  // a function may be a number
    const json& type = form["properties"]["type"];
    for (const json& word : type.contains("const") ? json::array({type["const"]}) : type["enum"])
      found[word].merge(keys_of(form["properties"]));
  }
  return found;
}

KeysByType in_reader(const std::vector<KeyUse>& table, const std::vector<std::string>& types) {
  KeysByType found;
  for (const std::string& type : types)
    for (const KeyUse& use : table)
      if (use.types.empty() || std::find(use.types.begin(), use.types.end(), type) != use.types.end())
        found[type].insert(std::string(use.key));
  return found;
}

std::set<std::string> all_keys(const std::vector<KeyUse>& table) {
  std::set<std::string> keys;
  for (const KeyUse& use : table) keys.insert(std::string(use.key));
  return keys;
}

TEST(ModelSchema, AllowsTheKeysThatTheReaderAllows) {
  std::vector<std::string> joints = all_names<Joint::Type>();
  for (const std::string& name : all_names<Coupling::Type>()) joints.push_back(name);
  EXPECT_EQ(in_schema("body"), in_reader(keys::body(), all_names<Body::Type>()));
  EXPECT_EQ(in_schema("shape"), in_reader(keys::shape(), all_names<Shape::Type>()));
  EXPECT_EQ(in_schema("joint"), in_reader(keys::joint(), joints));
  EXPECT_EQ(in_schema("force"), in_reader(keys::force(), all_names<Force::Type>()));
  EXPECT_EQ(in_schema("function"), in_reader(keys::function(), all_names<Function::Type>()));

  const json whole = schema();
  EXPECT_EQ(keys_of(whole["properties"]), all_keys(keys::model()));
  const json& simulation = whole["$defs"]["simulation"]["properties"];
  EXPECT_EQ(keys_of(simulation), all_keys(keys::simulation()));
  EXPECT_EQ(keys_of(simulation["newton"]["properties"]), all_keys(keys::newton()));
  std::set<std::string> drive;  // its forms differ by joint or between, not by type
  for (const json& form : whole["$defs"]["drive"]["oneOf"]) drive.merge(keys_of(form["properties"]));
  EXPECT_EQ(drive, all_keys(keys::drive()));
}

// Every type named in a table of keys is a type.
TEST(ModelKeys, NameOnlyTypesThatExist) {
  const auto expect_known = [](const std::vector<KeyUse>& table, const std::vector<std::string>& types) {
    for (const KeyUse& use : table)
      for (std::string_view type : use.types)
        EXPECT_NE(std::find(types.begin(), types.end(), type), types.end()) << use.key << " of " << type;
  };
  std::vector<std::string> joints = all_names<Joint::Type>();
  for (const std::string& name : all_names<Coupling::Type>()) joints.push_back(name);
  expect_known(keys::body(), all_names<Body::Type>());
  expect_known(keys::shape(), all_names<Shape::Type>());
  expect_known(keys::joint(), joints);
  expect_known(keys::force(), all_names<Force::Type>());
  expect_known(keys::function(), all_names<Function::Type>());
}

}  // namespace
}  // namespace polhode::model_schema_test

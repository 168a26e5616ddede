// What is published of the model format is what the library reads: the schema and the tables of the documentation are
// up to date, and every kind that is described comes back from its own text.
#include <polhode/io/model_description.hpp>

#include <fstream>
#include <set>
#include <sstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <polhode/describe/object.hpp>
#include <polhode/elements/joints.hpp>
#include <polhode/model/model.hpp>
#include <polhode/system/compile.hpp>

namespace polhode::model_description_test {
namespace {

std::string text_of(const char* file) {
  std::ifstream stream(std::string(POLHODE_SOURCE_DIR "/") + file);
  std::stringstream text;
  text << stream.rdbuf();
  return text.str();
}

TEST(ModelDescription, SchemaInTheTreeIsUpToDate) {
  EXPECT_EQ(text_of("schema/model.schema.json"), model_schema())
      << "polhode describe --schema > schema/model.schema.json";
}

TEST(ModelDescription, TablesOfThePagesAreUpToDate) {
  for (const char* page : {"docs/model-format.md", "docs/results.md", "docs/methods/energy-momentum.md",
                           "docs/methods/generalized-alpha.md", "docs/methods/energy-decaying.md",
                           "docs/methods/lens-cardona.md", "docs/methods/geradin.md", "docs/methods/explicit.md"})
    EXPECT_EQ(text_of(page), with_tables(text_of(page))) << "polhode describe --update " << page;
}

TEST(ModelDescription, EveryFieldHasAWordAndAMeaning) {
  const auto expect_described = [](const Description& description) {
    std::set<std::string_view> seen;
    for (const FieldInfo& field : description.fields) {
      EXPECT_FALSE(field.word.empty()) << description.word;
      EXPECT_TRUE(seen.insert(field.word).second) << description.word << " has " << field.word << " twice";
      if (description.word == "model" || field.inner) continue;  // name, description; what is inside says it
      EXPECT_FALSE(meaning_of(description, field).empty()) << description.word << "." << field.word;
    }
  };
  for (const JointKind* kind : joint_kinds()) expect_described(*kind);
  for (const CouplingKind* kind : coupling_kinds()) expect_described(*kind);
  for (const ForceKind* kind : force_kinds()) expect_described(*kind);
  for (const Description* type : body_types()) expect_described(*type);
  for (const Description* type : shape_types()) expect_described(*type);
  for (const Description* type : function_types()) expect_described(*type);
  expect_described(kind<Drive>);
  expect_described(kind<SimulationOptions>);
  expect_described(kind<Model>);
}

// The words are the names of the members: what the compiler calls them.
TEST(ModelDescription, WordsAreTheNamesOfMembers) {
  EXPECT_EQ(kind<Screw>.find("pitch")->unit, "m/rad");
  EXPECT_EQ(detail::member_name<&Screw::pitch>(), "pitch");
  EXPECT_EQ(detail::member_name<&SimulationOptions::output_step>(), "output_step");
}

// A joint has as many equations as it says, and the number of freedoms of two bodies is what its rows leave.
TEST(ModelDescription, JointsHaveAsManyEquationsAsTheySay) {
  for (const JointKind* kind : joint_kinds()) {
    Model model;
    for (const char* name : {"a", "b"}) {
      Body& body = model.bodies.emplace_back();
      body.name = name;
      body.mass = 1;
      body.inertia = Mat3::Identity();
    }
    model.bodies[1].position = Vec3(1, 0, 0);
    Joint joint(*kind);
    joint.rename("joint");
    *joint.field<Names>("between") = {"a", "b"};
    if (auto* axis = joint.field<std::optional<Vec3>>("axis")) *axis = Vec3::UnitZ();
    if (auto* universal = joint.edit<Universal>()) universal->axis_a = Vec3::UnitX(), universal->axis_b = Vec3::UnitY();
    model.joints = {joint};
    EXPECT_EQ(compile(model).system.row_count, kind->equations) << kind->word;
  }
}

TEST(SetField, KnowsEveryPath) {
  SimulationOptions options;
  Findings findings;
  Reporter report(findings, {});
  for (const FieldPath& one : paths(kind<SimulationOptions>)) {
    const nlohmann::ordered_json standard = one.field->type().write(*one.field, one.field->of(one.owner->make().get()));
    const std::string text = standard.is_string()   ? standard.get<std::string>()
                             : standard.is_number() ? standard.dump()
                             : standard.is_object() ? "energy-momentum"
                                                    : "1";
    EXPECT_TRUE(set_field(kind<SimulationOptions>, &options, one.path, text, report)) << one.path;
  }
  options.output_step.reset();
  EXPECT_EQ(options, SimulationOptions());
}

}  // namespace
}  // namespace polhode::model_description_test

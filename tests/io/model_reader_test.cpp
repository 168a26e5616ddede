// Model files: what is read, what is refused and in which words, and that nothing else ever happens.
#include <polhode/io/model_reader.hpp>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <random>
#include <set>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <polhode/elements/forces.hpp>
#include <polhode/elements/joints/spherical.hpp>
#include <polhode/io/model_override.hpp>
#include <polhode/io/model_writer.hpp>
#include <polhode/model/error.hpp>

#include "model_documents.hpp"

namespace polhode::model_reader_test {
namespace {

using nlohmann::json;

json document(const char* text) { return json::parse(text, nullptr, true, true); }

std::vector<std::string> findings(const std::string& text) {
  try {
    parse_model(text, "m.json");
  } catch (const ModelError& error) {
    std::vector<std::string> lines;
    for (const Finding& finding : error.findings()) lines.push_back(error.line(finding));
    return lines;
  }
  return {};
}

// The document with one value set, by JSON pointer.
std::string with(const char* text, const char* pointer, const json& value) {
  json changed = document(text);
  changed[json::json_pointer(pointer)] = value;
  return changed.dump();
}

std::string only_finding(const std::string& text) {
  const auto all = findings(text);
  EXPECT_EQ(all.size(), 1u) << (all.empty() ? "nothing found" : all[0] + " | " + all.back());
  return all.empty() ? "" : all[0];
}

TEST(ModelReader, ReadsTheHeavyTop) {
  std::vector<Finding> warnings;
  const Model model = parse_model(documents::heavy_top, "m.json", &warnings);
  EXPECT_TRUE(warnings.empty());
  EXPECT_EQ(model.name, "heavy top");
  EXPECT_EQ(model.gravity, Vec3(0, 0, -9.81));
  ASSERT_EQ(model.bodies.size(), 1u);
  const Body& top = model.bodies[0];
  EXPECT_EQ(top.type, Body::Type::rigid);
  EXPECT_EQ(top.mass, 15);
  EXPECT_EQ(top.inertia, Mat3(Vec3(0.234375, 0.46875, 0.234375).asDiagonal()));
  EXPECT_EQ(top.position, Vec3(0, 1, 0));
  EXPECT_EQ(top.angular_velocity, Vec3(0, 150, -4.61538));
  EXPECT_FALSE(top.velocity.has_value());
  ASSERT_EQ(model.joints.size(), 1u);
  const Spherical* const tip = model.joints[0].get<Spherical>();
  ASSERT_NE(tip, nullptr);
  EXPECT_EQ(tip->between, (Names{"ground", "top"}));
  EXPECT_EQ(tip->at, Vec3(0, 0, 0));
  EXPECT_EQ(model.simulation.step, 1e-3);
  EXPECT_EQ(model.simulation.end_time, 2);
}

TEST(ModelReader, ReadsOneOfEverything) {
  const Model model = parse_model(documents::everything, "m.json");
  EXPECT_EQ(model.bodies.size(), 6u);
  EXPECT_EQ(model.joints.size(), 12u);
  EXPECT_EQ(model.couplings.size(), 2u);
  EXPECT_EQ(model.couplings[1].name(), "joints[13]");  // an element without a name goes by its place
  EXPECT_EQ(model.drives[0].type, Coordinate::angle);
  EXPECT_EQ(model.forces[6].get<JointForce>()->coordinate, Coordinate::travel);  // what the prismatic joint leaves free
  EXPECT_EQ(model.forces[3].get<PointForce>()->at, Vec3(0, 0, 1));
  EXPECT_EQ(model.forces[4].get<PointForce>()->function.size(), 3u);
  EXPECT_EQ(std::get<double>(model.simulation.integrator.options.at("rho_inf")), 0.8);
  EXPECT_EQ(std::get<std::string>(model.simulation.integrator.options.at("update")), "exp1");
  EXPECT_EQ(model.bodies[1].inertia_about, Vec3(0, 0, 0));
  // The pivot, 0.1 below the origin along y, in the frame turned by 90 degrees about z.
  EXPECT_LT((*model.bodies[2].inertia_about - Vec3(-0.1, 0, 0)).norm(), 1e-15);
}

// The forms of a rotation say the same.
TEST(ModelReader, EveryFormOfARotationGivesTheSame) {
  const double angle = 0.7, s = std::sin(angle / 2) / std::sqrt(14.0), c = std::cos(angle / 2);
  const Mat3 R = Eigen::AngleAxisd(angle, Vec3(1, 2, 3).normalized()).toRotationMatrix();
  const Vec3 phi = angle * Vec3(1, 2, 3).normalized();
  const json forms = {{c, s, 2 * s, 3 * s},
                      {{"axis", {1, 2, 3}}, {"angle", angle}},
                      {{"rotation_vector", {phi.x(), phi.y(), phi.z()}}},
                      {{R(0, 0), R(0, 1), R(0, 2)}, {R(1, 0), R(1, 1), R(1, 2)}, {R(2, 0), R(2, 1), R(2, 2)}}};
  for (const json& form : forms) {
    const Model model = parse_model(with(documents::heavy_top, "/bodies/0/orientation", form), "m.json");
    EXPECT_LT((model.bodies[0].orientation.toRotationMatrix() - R).norm(), 1e-15 * 4) << form;
  }
}

TEST(ModelReader, SaysWhereAndWhat) {
  const auto top = [](const char* pointer, const json& value) {
    return only_finding(with(documents::heavy_top, pointer, value));
  };
  EXPECT_EQ(top("/bodies/0/mas", 3), "m.json: bodies[0] \"top\": unknown key \"mas\"; did you mean \"mass\"?");
  EXPECT_EQ(top("/bodies/0/mass", "heavy"), "m.json: bodies[0] \"top\": mass is \"heavy\"; expected a number");
  EXPECT_EQ(top("/bodies/0/pivot", {0, 0, 0}),
            "m.json: bodies[0] \"top\": pivot is not used by type \"rigid\"; it belongs to fixed-point");
  EXPECT_EQ(top("/joints/0/pitch", 1),
            "m.json: joints[0] \"tip\": pitch is not used by type \"spherical\"; it belongs to screw");
  EXPECT_EQ(top("/joints/0/type", "sphercal"),
            "m.json: joints[0] \"tip\": type is \"sphercal\"; did you mean \"spherical\"?");
  EXPECT_EQ(top("/joints/0/between/1", "topp"),
            "m.json: joints[0] \"tip\": between[1]: there is no body \"topp\"; did you mean \"top\"?");
  EXPECT_EQ(top("/gravity", "down"), "m.json: model: gravity is \"down\"; expected three numbers such as [0, 0, 1]");
  EXPECT_EQ(top("/simulation/step", -1), "m.json: simulation: step is -1; give a time > 0 s such as 0.001");
  EXPECT_EQ(top("/simulation/newton", {{"tolerence", 1}}),
            "m.json: simulation: unknown key \"newton.tolerence\"; did you mean \"tolerance\"?");
  EXPECT_EQ(top("/polhode", 2), "m.json: model: polhode is 2; this program reads format version 1");
  EXPECT_EQ(top("/bodies/0/orientation", {1, 0, 0, 0.1}),
            "m.json: bodies[0] \"top\": orientation is [1, 0, 0, 0.1] with norm 1.004987562112089; a rotation is a "
            "quaternion [w, x, y, z] of norm 1");
}

TEST(ModelReader, GathersAllFindingsUpToTwenty) {
  json many = document(documents::heavy_top);
  for (int k = 0; k < 30; ++k) many["joints"].push_back({{"type", "spherical"}, {"between", {"ground", "nobody"}}});
  const auto all = findings(many.dump());
  ASSERT_EQ(all.size(), 21u);
  EXPECT_EQ(all[3], "m.json: joints[4]: between[1]: there is no body \"nobody\"");
  EXPECT_EQ(all[20], "m.json: and 10 more");

  json two = document(documents::heavy_top);  // one wrong in form, one in meaning: both are said, and nothing else
  two["bodies"][0]["mass"] = "heavy";
  two["joints"][0]["between"][1] = "tpo";
  EXPECT_EQ(findings(two.dump()).size(), 2u);
}

// The list `joints` holds couplings too: places are those of the document.
TEST(ModelReader, PlacesAreThoseOfTheDocument) {
  EXPECT_EQ(only_finding(with(documents::everything, "/joints/2/ratio", 0)),
            "m.json: joints[2] \"gear\": ratio is 0, which ties nothing together");
  EXPECT_EQ(only_finding(with(documents::everything, "/joints/3/axis_a", {0, 0, 0})),
            "m.json: joints[3] \"universal\": axis_a is [0, 0, 0]; give a direction such as [0, 0, 1]");
}

TEST(ModelReader, RefusesTextThatIsNotJsonWithLineAndColumn) {
  EXPECT_EQ(only_finding("{\"polhode\": 1,\n \"mass\": NaN}"),
            "m.json: line 2, column 10: NaN is not a number that JSON knows; give a finite one");
  EXPECT_EQ(only_finding("{\"polhode\": 1,\n \"mass\": -Infinity}").substr(0, 26), "m.json: line 2, column 11:");
  EXPECT_EQ(only_finding("{\"polhode\": 1e999}"),
            "m.json: line 1, column 17: the number 1e999 is too large for double precision");
  EXPECT_NE(only_finding("{\"polhode\": 1,\n}").find("m.json: line 2, column 1: syntax error"), std::string::npos);
  EXPECT_NE(only_finding("").find("unexpected end of input"), std::string::npos);
  EXPECT_EQ(only_finding("[1]"), "m.json: model: is [1]; expected an object {\"polhode\": 1, ...}");
}

TEST(ModelReader, RefusesAKeyGivenTwiceAndDeepNesting) {
  EXPECT_EQ(only_finding(R"({"polhode": 1, "bodies": [{"name": "a"}, {"mass": 1, "mass": 2}]})"),
            "m.json: bodies[1]: key \"mass\" is given twice in one object");
  EXPECT_EQ(only_finding(R"({"polhode": 1, "polhode": 1})"),
            "m.json: model: key \"polhode\" is given twice in one object");
  EXPECT_NE(only_finding(std::string(1000000, '[')).find("nested more than 64 deep"), std::string::npos);
}

TEST(ModelReader, ReadsFilesAndSaysWhichItCannot) {
  const auto file = std::filesystem::path(testing::TempDir()) / "polhode_model_reader_test.json";
  std::ofstream(file) << documents::heavy_top;
  EXPECT_EQ(read_model(file), parse_model(documents::heavy_top, ""));
  std::filesystem::remove(file);
  EXPECT_THROW(read_model(file), ModelError);
  EXPECT_THROW(read_model(testing::TempDir()), ModelError);
}

TEST(ModelReader, WarningsDoNotRefuse) {
  std::vector<Finding> warnings;
  parse_model(with(documents::heavy_top, "/bodies/0/inertia", {1, 1, 3}), "m.json", &warnings);
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_EQ(to_text(warnings[0]),
            "bodies[0] \"top\": warning: inertia about the centre of mass has the principal values "
            "[1, 1, 3]; in a real body the largest is at most the sum of the others");
}

// Whatever the text: a model or a ModelError. Bytes changed, dropped and doubled, the text cut, with a fixed seed.
TEST(ModelReader, NeverDoesAnythingButReadOrRefuse) {
  std::mt19937 random(5);
  int read = 0, refused = 0;
  const auto attempt = [&](const std::string& text) {
    try {
      parse_model(text, "m.json");
      ++read;
    } catch (const ModelError& error) {
      EXPECT_FALSE(error.findings().empty());
      ++refused;
    }
  };
  for (const std::string text : {documents::heavy_top, documents::everything})
    for (int k = 0; k < 1500; ++k) {
      std::string changed = text;
      for (unsigned n = random() % 4 + 1; n > 0; --n) {
        const std::size_t at = random() % changed.size();
        switch (random() % 4) {
          case 0: changed[at] = char(random() % 256); break;
          case 1: changed.erase(at, random() % 20); break;
          case 2: changed.insert(at, changed.substr(random() % changed.size(), random() % 20)); break;
          case 3: changed[at] = "{}[]\",:0123456789eE+-.ntf/*"[random() % 27]; break;
        }
        if (changed.empty()) break;
      }
      attempt(changed);
      if (k < int(text.size())) attempt(text.substr(0, text.size() * k / 1500));
    }
  EXPECT_GT(read, 100);  // changes in comments and numbers leave a model
  EXPECT_GT(refused, 1000);
}

// Every value in turn replaced by one of every other kind.
TEST(ModelReader, EveryValueMayBeOfAnyType) {
  const json values = {nullptr,        true,           -1, 1e308, "", "a", json::array(), {0, 0, 0}, {"a", "b"},
                       json::object(), {{"name", "a"}}};
  const json original = document(documents::everything), flat = original.flatten();
  std::set<std::string> pointers;
  for (const auto& [pointer, value] : flat.items())
    for (json::json_pointer p(pointer); !p.empty(); p.pop_back()) pointers.insert(p.to_string());
  EXPECT_GT(pointers.size(), 300u);
  int refused = 0;
  for (const std::string& pointer : pointers)
    for (const json& value : values) {
      json changed = original;
      changed[json::json_pointer(pointer)] = value;
      try {
        parse_model(changed.dump(), "m.json");
      } catch (const ModelError&) {
        ++refused;
      }
    }
  EXPECT_GT(refused, int(pointers.size()));
}

TEST(ModelWriter, KeepsTheThreads) {
  Model model;
  model.bodies.emplace_back().name = "body";
  model.bodies[0].mass = 1;
  model.bodies[0].inertia = Mat3::Identity();
  EXPECT_EQ(write_model(model).find("threads"), std::string::npos);
  model.simulation.threads = 3;
  EXPECT_EQ(parse_model(write_model(model), "test").simulation.threads, 3);
}

TEST(ModelOverride, SetsOptionsByPath) {
  Model model;
  apply_override(model, "step", "1e-4");
  apply_override(model, "end_time", "3");
  apply_override(model, "output_step", "+0.01");
  apply_override(model, "assembly", "project");
  apply_override(model, "newton.tolerance", "1e-10");
  apply_override(model, "newton.max_iterations", "7");
  apply_override(model, "threads", "2");
  apply_override(model, "integrator.name", "generalized-alpha");
  apply_override(model, "integrator.rho_inf", "0.8");
  apply_override(model, "integrator.update", "exp1");
  const SimulationOptions& s = model.simulation;
  EXPECT_EQ(s.step, 1e-4);
  EXPECT_EQ(s.end_time, 3);
  EXPECT_EQ(s.output_step, 0.01);
  EXPECT_EQ(s.assembly, SimulationOptions::Assembly::project);
  EXPECT_EQ(s.newton.tolerance, 1e-10);
  EXPECT_EQ(s.newton.max_iterations, 7);
  EXPECT_EQ(s.threads, 2);
  EXPECT_EQ(s.integrator.name, "generalized-alpha");
  EXPECT_EQ(s.integrator.options.at("rho_inf"), OptionValue(0.8));
  EXPECT_EQ(s.integrator.options.at("update"), OptionValue("exp1"));
}

TEST(ModelOverride, RefusesUnknownPathsAndValues) {
  Model model;
  const auto refusal = [&](const char* path, const char* value) -> std::string {
    try {
      apply_override(model, path, value);
    } catch (const ModelError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(refusal("stepp", "1"), "there is no option \"stepp\"; did you mean \"step\"?");
  EXPECT_EQ(refusal("newton.max_iteration", "1"),
            "there is no option \"newton.max_iteration\"; did you mean \"newton.max_iterations\"?");
  for (const char* path : {"newton.tolerance.foo", "newton.", "newton"}) EXPECT_NE(refusal(path, "1"), "") << path;
  EXPECT_EQ(refusal("step", "fast"), "step is \"fast\"; expected a number");
  for (const char* value : {"", "nan", "inf", "1e-3s", "0x10", "1e999"}) EXPECT_NE(refusal("step", value), "") << value;
  EXPECT_NE(refusal("newton.max_iterations", "2.5"), "");
  EXPECT_NE(refusal("threads", "1.5"), "");
  EXPECT_NE(refusal("assembly", "loose"), "");
  EXPECT_NE(refusal("integrator.", "1"), "");
  EXPECT_EQ(model.simulation, SimulationOptions());
}

}  // namespace
}  // namespace polhode::model_reader_test

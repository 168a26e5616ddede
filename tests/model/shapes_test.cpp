// Shapes of bodies: what makes no sense is refused with its place.
#include <gtest/gtest.h>

#include <polhode/io/model_reader.hpp>
#include <polhode/model/error.hpp>

namespace polhode::shapes_test {
namespace {

/// What is said of a body with this shape; nothing if it is accepted.
std::string said(const std::string& shape) {
  const std::string text =
      R"({"polhode": 1, "bodies": [{"name": "b", "type": "particle", "mass": 1, "shapes": [)" + shape + "]}]}";
  try {
    parse_model(text, "m");
  } catch (const ModelError& error) {
    return error.what();
  }
  return "";
}

TEST(ShapesOfBodies, AreAcceptedInAllKinds) {
  for (const char* shape :
       {R"({"type": "box", "size": [1, 2, 3], "color": "#00ff7F"})", R"({"type": "sphere", "radius": 1})",
        R"({"type": "cylinder", "radius": 1, "length": 2, "at": [0, 0, 1], "frame": [1, 0, 0, 0]})",
        R"({"type": "mesh", "vertices": [[0, 0, 0], [1, 0, 0], [0, 1, 0]], "faces": [[0, 1, 2]]})"})
    EXPECT_EQ(said(shape), "") << shape;
}

TEST(ShapesOfBodies, AreRefusedWithTheirPlace) {
  const std::vector<std::pair<const char*, const char*>> wrong{
      {R"({"type": "ball", "radius": 1})", "shapes[0].type is \"ball\""},
      {R"({"radius": 1})", "shapes[0].type is missing"},
      {R"({"type": "sphere"})", "shapes[0].radius is missing"},
      {R"({"type": "sphere", "radius": -1})", "shapes[0].radius is -1; give a length > 0 m"},
      {R"({"type": "sphere", "radius": 1, "length": 1})", "length"},
      {R"({"type": "box", "size": [1, 0, 1]})", "shapes[0].size is 0; give a length > 0 m"},
      {R"({"type": "box", "size": [1, 1, 1], "color": "red"})", "shapes[0].color is \"red\""},
      {R"({"type": "box", "size": [1, 1, 1], "frame": [1, 1, 0, 0]})", "frame"},
      {R"({"type": "mesh", "vertices": [[0, 0, 0], [1, 0, 0], [0, 1, 0]], "faces": [[0, 1, 3]]})",
       "names the vertex 3; there are 0 to 2"},
      {R"({"type": "mesh", "vertices": [[0, 0, 0], [1, 0]], "faces": [[0, 1, 1]]})", "shapes[0].vertices[1]"},
      {R"({"type": "mesh", "vertices": [], "faces": []})", "0 vertices and 0 faces"},
      {R"({"type": "mesh"})", "shapes[0].vertices is missing"},
      {"3", "shapes[0] is 3"},
  };
  for (const auto& [shape, words] : wrong)
    EXPECT_NE(said(shape).find(words), std::string::npos) << shape << ": " << said(shape);
}

}  // namespace
}  // namespace polhode::shapes_test

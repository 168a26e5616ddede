// A bushing with a whole matrix: the same element in other axes, and what is refused.
#include <gtest/gtest.h>

#include <polhode/elements/forces.hpp>
#include <polhode/io/model_writer.hpp>
#include <polhode/lie/so3.hpp>
#include <polhode/model/error.hpp>

#include "simulate/runs.hpp"
#include "simulate/says.hpp"

namespace polhode::bushing_test {
namespace {

Model mounted(const std::string& stiffness) {
  return model_text(R"("bodies": [ { "name": "block", "mass": 2, "inertia": [0.1, 0.2, 0.25], "velocity": [0.3, 0, 0.1],
      "angular_velocity": [0.5, -1, 2] } ],
    "forces": [ { "type": "bushing", "between": ["ground", "block"], "at": [0, 0.1, 0.1], "stiffness": )" +
                    stiffness + " } ]");
}

// A bushing in turned axes is one in the old axes with its matrices turned: K -> Q K Q^T, for places and rotation
// vectors alike.
TEST(Bushing, HasTheSameMotionInTurnedAxes) {
  const Quaternion q = so3::exp(Vec3(0.4, -0.7, 1.1));
  Mat6 Q = Mat6::Zero();
  Q.topLeftCorner<3, 3>() = Q.bottomRightCorner<3, 3>() = q.toRotationMatrix();
  const Vec6 k = (Vec6() << 100, 200, 300, 5, 6, 7).finished(), c = (Vec6() << 1, 2, 3, 0.1, 0.2, 0.3).finished();
  for (const char* method : {"energy-momentum", "energy-decaying", "generalized-alpha", "rattlie"}) {
    Model turned = mounted("[0, 0, 0, 0, 0, 0]"), whole = turned;
    Bushing &axes = *turned.forces[0].edit<Bushing>(), &matrix = *whole.forces[0].edit<Bushing>();
    axes.frame = q, axes.stiffness = k, axes.damping = c;
    matrix.stiffness = Mat6(Q * k.asDiagonal() * Q.transpose());
    matrix.damping = Mat6(Q * c.asDiagonal() * Q.transpose());
    const Certificate a = run(turned, {method, {}}, 1e-2, 1), b = run(whole, {method, {}}, 1e-2, 1);
    ASSERT_TRUE(a.complete() && b.complete()) << a.reason << b.reason;
    EXPECT_LE((body(a, "block").position - body(b, "block").position).norm(), 1e-11) << method;
    EXPECT_LE(body(a, "block").orientation.angularDistance(body(b, "block").orientation), 1e-10) << method;
    EXPECT_GT((body(a, "block").position - Vec3::Zero()).norm(), 1e-3);
  }
}

TEST(Bushing, ReadsWritesAndChecksAWholeMatrix) {
  const std::string rows =
      "[[9, 1, 0, 0, 0, 0], [1, 8, 0, 0, 0, 0.5], [0, 0, 7, 0, 0, 0], [0, 0, 0, 6, 0, 0], [0, 0, 0, 0, 5, 0], "
      "[0, 0.5, 0, 0, 0, 4]]";
  const Model model = mounted(rows);
  const Mat6& K = model.forces[0].get<Bushing>()->stiffness.matrix;
  EXPECT_EQ(K(0, 1), 1);
  EXPECT_EQ(K(5, 1), 0.5);
  EXPECT_EQ(parse_model(write_model(model), "again").forces, model.forces);
  EXPECT_EQ(mounted("[1, 2, 3, 4, 5, 6]").forces[0].get<Bushing>()->stiffness.matrix(3, 3), 4);
  const auto message = [](const std::string& stiffness) {
    try {
      mounted(stiffness);
    } catch (const ModelError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_TRUE(says(message("[1, 2, 3]"), "six rows of six"));
  EXPECT_TRUE(says(message("[[9, 1, 0, 0, 0, 0], [2, 8, 0, 0, 0, 0], [0, 0, 7, 0, 0, 0], [0, 0, 0, 6, 0, 0], "
                           "[0, 0, 0, 0, 5, 0], [0, 0, 0, 0, 0, 4]]"),
                   "is not symmetric: [1][0] is 2, [0][1] is 1"));
  std::vector<Finding> warnings;
  parse_model(
      R"({"polhode": 1, "bodies": [ { "name": "b", "mass": 1, "inertia": [1, 1, 1] } ], "forces": [ { "type": "bushing",
    "between": ["ground", "b"], "stiffness": [[1, 2, 0, 0, 0, 0], [2, 1, 0, 0, 0, 0], [0, 0, 7, 0, 0, 0], [0, 0, 0, 6, 0, 0],
    [0, 0, 0, 0, 5, 0], [0, 0, 0, 0, 0, 4]] } ] })",
      "test", &warnings);
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_TRUE(says(warnings[0].text, "smallest eigenvalue is -1"));
}

}  // namespace
}  // namespace polhode::bushing_test

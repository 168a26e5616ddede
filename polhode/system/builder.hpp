// What a kind of element compiles to: rows of constraints, laws, loads. `compile(const Screw&, Builder&)` is the
// physics of an element; names have become nodes, and anchors markers, when it is called.
#pragma once

#include <initializer_list>
#include <map>

#include <polhode/describe/finding.hpp>
#include <polhode/model/computed_force.hpp>
#include <polhode/model/model.hpp>
#include <polhode/system/invariants.hpp>

namespace polhode {

struct CompiledModel;
struct RowPlace;
struct AngleCoordinate;
struct TravelCoordinate;
struct LengthCoordinate;
template <class C>
struct ScalarMeasure;
struct PointMeasure;
struct BushingMeasure;

/// stress = k (y - reference) + W'(y) + c dy/dt - Q, in the numbers y of a measure, of which there are at most six.
struct ElasticLaw {
  Mat6 stiffness = Mat6::Zero(), damping = Mat6::Zero();  ///< symmetric; of as many strains as the measure has
  Vec6 reference = Vec6::Zero();
  const Function* given = nullptr;                       ///< Q(t), or none
  std::shared_ptr<const ComputedPotential> potential{};  ///< W, or none
  std::shared_ptr<const ComputedLoad> load{};            ///< Q(t, y, dy/dt), or none

  /// Of one number.
  static ElasticLaw spring(double k, double c, double reference);
};

/// A force at a point of a body's frame, or a torque; its vector in space, or in the body if it follows.
struct BodyLoad {
  Vec3 at = Vec3::Zero(), vector = Vec3::Zero();
  const LoadFunctions* functions = nullptr;
  bool torque = false, follower = false;
};

class Builder {
 public:
  Builder(const Model& model, CompiledModel& out);

  // ---- where things are ----
  int node(const std::string& body) const;
  Vec3 origin(int node) const;  ///< of the user's body frame, in the node's axes
  /// Both markers, their third axes along the axes given, their first axes as parallel as can be; without an axis, both
  /// along the axes of body a. `crossed`: the axes are perpendicular to each other.
  Pair markers(const Anchors& anchors, bool crossed = false) const;
  /// Both markers along the axes of a frame, which takes them to space at the model pose.
  Pair markers(const Anchors& anchors, const Quaternion& frame) const;
  const Pair& markers_of(const std::string& joint) const;
  double at_pose(Coordinate coordinate, const Pair& pair) const;  ///< its value at the model pose; of angles 0

  // ---- equations of the joint, coupling or drive at hand ----
  const Pair& markers() const { return pair_; }  ///< its own; of a coupling, those of its first joint
  /// Phi = weight (z - reference) = 0, a row for each invariant of the choice, each with its label.
  template <InvariantChoice choice>
  [[gnu::noinline]] void rows(std::initializer_list<const char*> labels, double weight = 1,
                              std::initializer_list<double> reference = {});

  /// A row Phi = sum factor y - f(t).
  class Row {
   public:
    Row& add(Coordinate coordinate, double factor) { return add(build_.pair_, coordinate, factor); }
    Row& add(const std::string& joint, Coordinate coordinate, double factor) {
      return add(build_.markers_of(joint), coordinate, factor);
    }
    void zero_at_pose();                            ///< f is the value of the sum at the model pose
    void given(const Function& motion, int drive);  ///< f is a function of time, prescribed by a drive

   private:
    friend class Builder;
    Row(Builder& build, int row) : build_(build), row_(row) {}
    Row& add(const Pair& pair, Coordinate coordinate, double factor);
    Builder& build_;
    int row_;
    double at_pose_ = 0;
  };
  Row row(const char* label);

  // ---- the force at hand ----
  template <class Measure>
  [[gnu::noinline]] void law(const Pair& pair, const ElasticLaw& law);
  void law(Coordinate coordinate, const Pair& pair, const ElasticLaw& law);
  void load(const std::string& body, const BodyLoad& load);
  void load(const std::string& body, const Vec3& at, std::shared_ptr<const ComputedLoad> wrench);

  /// The element cannot be compiled: ModelError with its place.
  [[noreturn]] void refuse(const std::string& why) const;

  // ---- for compile(): elements one after another, then the layout of all rows ----
  void add(const Joint& joint, std::size_t index);
  void add(const Coupling& coupling);
  void add(const Drive& drive, std::size_t index);
  void add(const Force& force, std::size_t index);
  void finish();

 private:
  struct Given {
    int block, row, function, drive;
  };
  Quaternion orientation(int i) const;
  Vec3 place_of(int i) const;
  Marker marker(int i, const std::optional<Vec3>& in_space, const std::optional<Vec3>& in_body,
                const Mat3& E_space) const;
  PairAt pair_at_pose(const Pair& p) const;
  void begin_block(const std::string& name, const std::string& path, std::string_view word, const Pair& p);
  RowPlace add_rows(const Pair& p, std::size_t count, const char* const* labels);
  template <class C>
  void add_term(const Pair& p, int row, double factor, int order);
  int add_function(Function f);
  int joint_index(const std::string& name) const;

  const Model& model_;
  CompiledModel& out_;
  std::map<std::string, int> nodes_, joint_index_;
  std::vector<Pair> joint_pairs_;
  std::vector<int> joint_blocks_;
  std::vector<std::vector<std::string>> labels_;
  std::vector<Given> given_;  ///< rows of blocks whose coordinates are functions of time
  Pair pair_;                 ///< of the element at hand
  int block_ = 0, force_ = 0, order_ = 0;
  ElementPlace at_hand_;
};

inline ElasticLaw ElasticLaw::spring(double k, double c, double reference) {
  ElasticLaw law;
  law.stiffness(0, 0) = k;
  law.damping(0, 0) = c;
  law.reference[0] = reference;
  return law;
}

}  // namespace polhode

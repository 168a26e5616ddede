// Bodies become nodes here; what a joint, a force or a drive becomes is its own matter (Builder).
#include <polhode/system/compile.hpp>

#include <algorithm>

#include <polhode/model/inertia.hpp>
#include <polhode/solve/huge_pages.hpp>
#include <polhode/system/builder.hpp>

namespace polhode {
namespace {

void add_body(const Body& body, CompiledModel& out) {
  const int i = out.system.node_count();
  Node node;
  NodeState state;
  BodyPlace place{body.name, i, Vec3::Zero(), body.velocity.has_value(), body.angular_velocity.has_value()};
  const Quaternion R = body.orientation.normalized();
  const Vec3 Omega = body.angular_velocity.value_or(Vec3::Zero());
  Mat3 J = Mat3::Zero();
  Vec3 X = Vec3::Zero();
  state.q = R;
  switch (body.type) {
    case Body::Type::rigid:
      node.kind = Node::Kind::rigid;
      J = inertia_at_centre_of_mass(body);
      place.origin = -body.centre_of_mass;
      state.x = body.position + R * body.centre_of_mass;
      state.Omega = Omega;
      state.v = body.velocity.value_or(Vec3::Zero()) + R * Omega.cross(body.centre_of_mass);
      break;
    case Body::Type::fixed_point:
      node.kind = Node::Kind::turning;
      J = inertia_at_pivot(body);
      place.origin = R.conjugate() * (body.position - body.pivot);
      place.velocity_given = false;
      X = place.origin + body.centre_of_mass;
      state.x = body.pivot;
      state.Omega = Omega;
      break;
    case Body::Type::particle:
      node.kind = Node::Kind::particle;
      state.x = body.position;
      state.q = Quaternion::Identity();
      state.v = body.velocity.value_or(Vec3::Zero());
      break;
    case Body::Type::scalar:
      node.kind = Node::Kind::sliding;
      node.axis = body.axis.normalized();
      place.velocity_given = body.rate.has_value();
      state.x = body.position + body.coordinate * node.axis;
      state.q = Quaternion::Identity();
      state.v = body.rate.value_or(0.0) * node.axis;
      break;
  }
  out.system.nodes.push_back(node);
  out.system.inertia.bodies.emplace_back(node, body.mass, J, X);
  out.start.nodes.push_back(state);
  out.bodies.push_back(place);
}

/// Large models: no array is made larger than it will be.
void reserve(const Model& model, CompiledModel& out) {
  const std::size_t bodies = model.bodies.size(),
                    blocks = model.joints.size() + model.couplings.size() + model.drives.size();
  reserve_huge(out.system.nodes, bodies);
  reserve_huge(out.system.inertia.bodies, bodies);
  out.start.nodes.reserve(bodies);
  out.bodies.reserve(bodies);
  out.system.blocks.reserve(blocks);
  out.connections.reserve(blocks);
}

/// A length typical of the model: how far its points are from each other.
double typical_length(const CompiledModel& out) {
  double extent = 0;
  const auto reach = [&](const Marker& m) {
    if (m.node < out.system.ground()) extent = std::max(extent, (m.X - out.bodies[m.node].origin).norm());
  };
  for (const auto& connection : out.connections) reach(connection.pair.a), reach(connection.pair.b);
  for (const auto& state : out.start.nodes) extent = std::max(extent, (state.x - out.start.nodes[0].x).norm());
  if (!out.start.nodes.empty()) extent = std::max(extent, out.start.nodes[0].x.norm());
  return extent > 0 ? extent : 1.0;
}

}  // namespace

CompiledModel compile(const Model& model) {
  CompiledModel out;
  System& system = out.system;
  reserve(model, out);
  for (const Body& body : model.bodies) add_body(body, out);
  system.gravity = model.gravity;
  Builder build(model, out);
  for (std::size_t k = 0; k < model.joints.size(); ++k) build.add(model.joints[k], k);
  for (const Coupling& coupling : model.couplings) build.add(coupling);
  for (std::size_t k = 0; k < model.drives.size(); ++k) build.add(model.drives[k], k);
  for (std::size_t k = 0; k < model.forces.size(); ++k) build.add(model.forces[k], k);
  build.finish();
  system.length = typical_length(out);
  out.start.angles.assign(system.angle_count, 0.0);
  out.start.lambda = VecX::Zero(system.row_count);
  out.start.work = Work(out.drive_names.size(), out.force_names.size());
  system.elements.settle();
  out.outputs = output_places(model, system.elements);
  settle_huge(system.block_of_jacobian);
  settle_huge(out.row_labels);
  system.divide(Division::parts_for(system.node_count()));
  return out;
}

}  // namespace polhode

#include <polhode/view/vtk.hpp>

#include <filesystem>
#include <ostream>

#include <fmt/format.h>

#include <polhode/io/output_file.hpp>
#include <polhode/view/base64.hpp>
#include <polhode/view/decimate.hpp>
#include <polhode/view/mesh.hpp>
#include <polhode/view/scene.hpp>

namespace polhode::view {
namespace {

template <class T>
constexpr const char* type_name() {
  if constexpr (std::is_same_v<T, float>)
    return "Float32";
  else if constexpr (std::is_same_v<T, double>)
    return "Float64";
  else
    return "Int32";
}

/// An array of numbers: its size in bytes, then they themselves, as VTK reads them.
template <class T>
std::string data_array(const char* name, const std::vector<T>& numbers, int components) {
  const auto bytes = static_cast<std::uint32_t>(numbers.size() * sizeof(T));
  std::string raw(reinterpret_cast<const char*>(&bytes), 4);
  raw.append(reinterpret_cast<const char*>(numbers.data()), bytes);
  return fmt::format("<DataArray type=\"{}\" Name=\"{}\" NumberOfComponents=\"{}\" format=\"binary\">{}</DataArray>\n",
                     type_name<T>(), name, components, base64(raw));
}

/// Points, what they carry, and the cells on them.
struct PolyData {
  std::vector<float> points;
  std::vector<std::int32_t> connectivity, offsets;
  std::string point_data, cell_data;
  bool surfaces = true;  ///< cells are polygons; else vertices

  void add_point(const Vec3& p) {
    for (const double x : p) points.push_back(static_cast<float>(x));
  }
};

/// A text between quotes of XML.
std::string xml_attribute(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '&' || c == '<' || c == '"' || c == '\n' || c == '\t' || c == '\r')
      out += fmt::format("&#{};", static_cast<int>(c));
    else
      out += c;
  }
  return out;
}

void write(const std::filesystem::path& path, const PolyData& d, double time) {
  const std::size_t points = d.points.size() / 3, cells = d.offsets.size();
  const char* kind = d.surfaces ? "Polys" : "Verts";
  write_file(path.string(), [&](std::ostream& file) {
    file << "<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\" "
            "header_type=\"UInt32\">\n<PolyData>\n";
    file << "<FieldData>\n"
         << fmt::format(
                "<DataArray type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\" format=\"ascii\">{}</DataArray>\n",
                time)
         << "</FieldData>\n";
    file << fmt::format(
        "<Piece NumberOfPoints=\"{}\" NumberOfVerts=\"{}\" NumberOfLines=\"0\" NumberOfStrips=\"0\" "
        "NumberOfPolys=\"{}\">\n",
        points, d.surfaces ? 0 : cells, d.surfaces ? cells : 0);
    file << "<PointData>\n" << d.point_data << "</PointData>\n<CellData>\n" << d.cell_data << "</CellData>\n";
    file << "<Points>\n" << data_array("Points", d.points, 3) << "</Points>\n";
    file << fmt::format("<{}>\n", kind) << data_array("connectivity", d.connectivity, 1)
         << data_array("offsets", d.offsets, 1) << fmt::format("</{}>\n", kind);
    file << "</Piece>\n</PolyData>\n</VTKFile>\n";
  });
}

/// A point for each of `count` items, each its own cell.
PolyData cloud(std::size_t count) {
  PolyData out;
  out.surfaces = false;
  for (std::size_t k = 0; k < count; ++k) {
    out.connectivity.push_back(static_cast<std::int32_t>(k));
    out.offsets.push_back(static_cast<std::int32_t>(k + 1));
  }
  return out;
}

class VtkWriter {
 public:
  VtkWriter(const ResultReader& result, std::size_t frames)
      : scene_(shown_model(result).scene),
        bodies_(scene_.bodies.size()),
        joints_(scene_.joints.size()),
        time_(result["time"]),
        x_(result["bodies/position"]),
        q_(result["bodies/quaternion"]),
        v_(result["bodies/velocity"]),
        omega_(result["bodies/angular_velocity"]),
        reaction_(result["joints/reaction"]),
        samples_(every_nth(time_.size(), frames > 0 ? frames : time_.size())) {}

  std::size_t write_all(const std::filesystem::path& pvd) const {
    std::filesystem::path folder = pvd;
    folder.replace_extension();
    std::filesystem::create_directories(folder);
    std::string list;
    for (std::size_t i = 0; i < samples_.size(); ++i) {
      const std::size_t k = samples_[i];
      const auto add = [&](int part, const char* name, const PolyData& data) {
        const std::string file = fmt::format("{}_{:06}.vtp", name, i);
        write(folder / file, data, time_[k]);
        list += fmt::format("<DataSet timestep=\"{}\" group=\"{}\" part=\"{}\" file=\"{}/{}\"/>\n", time_[k], name,
                            part, xml_attribute(folder.filename().string()), file);
      };
      add(0, "bodies", surfaces(k));
      add(1, "centres", centres(k));
      if (joints_ > 0) add(2, "joints", joints(k));
    }
    write_file(pvd.string(), fmt::format("<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\" "
                                         "byte_order=\"LittleEndian\">\n<Collection>\n{}</Collection>\n</VTKFile>\n",
                                         list));
    return samples_.size();
  }

 private:
  Vec3 at(const std::vector<double>& numbers, std::size_t sample, std::size_t body) const {
    return Vec3(&numbers[3 * (sample * bodies_ + body)]);
  }
  Quaternion turn(std::size_t sample, std::size_t body) const {
    const double* q = &q_[4 * (sample * bodies_ + body)];
    return Quaternion(q[0], q[1], q[2], q[3]).normalized();
  }

  PolyData surfaces(std::size_t sample) const {
    PolyData out;
    std::vector<std::int32_t> body_of_cell;
    std::vector<float> velocities;
    for (std::size_t i = 0; i < bodies_; ++i) {
      const Quaternion R = turn(sample, i);
      const Vec3 x = at(x_, sample, i), v = at(v_, sample, i), w = R * at(omega_, sample, i);
      for (const Shape& shape : scene_.bodies[i].shapes) {
        const TriangleMesh mesh = tessellate(shape, 24);
        const auto first = static_cast<std::int32_t>(out.points.size() / 3);
        for (const Vec3& p : mesh.points) {
          const Vec3 r = R * (shape.at + shape.frame * p), velocity = v + w.cross(r);
          out.add_point(x + r);
          for (const double c : velocity) velocities.push_back(static_cast<float>(c));
        }
        for (const auto& triangle : mesh.triangles) {
          for (const auto index : triangle) out.connectivity.push_back(first + static_cast<std::int32_t>(index));
          out.offsets.push_back(static_cast<std::int32_t>(out.connectivity.size()));
          body_of_cell.push_back(static_cast<std::int32_t>(i));
        }
      }
    }
    out.point_data = data_array("velocity", velocities, 3);
    out.cell_data = data_array("body", body_of_cell, 1);
    return out;
  }

  PolyData centres(std::size_t sample) const {
    PolyData out = cloud(bodies_);
    std::vector<double> mass, v, w, q;
    std::vector<std::int32_t> index;
    for (std::size_t i = 0; i < bodies_; ++i) {
      const Body& body = scene_.bodies[i].body;
      const Quaternion R = turn(sample, i);
      const Vec3 r = R * body.centre_of_mass, omega = R * at(omega_, sample, i),
                 velocity = at(v_, sample, i) + omega.cross(r);
      out.add_point(at(x_, sample, i) + r);
      index.push_back(static_cast<std::int32_t>(i));
      mass.push_back(body.mass);
      v.insert(v.end(), velocity.begin(), velocity.end());
      w.insert(w.end(), omega.begin(), omega.end());
      q.insert(q.end(), {R.w(), R.x(), R.y(), R.z()});
    }
    out.point_data = data_array("body", index, 1) + data_array("mass", mass, 1) + data_array("velocity", v, 3) +
                     data_array("angular_velocity", w, 3) + data_array("quaternion", q, 4);
    return out;
  }

  PolyData joints(std::size_t sample) const {
    PolyData out = cloud(joints_);
    std::vector<double> forces, torques;
    for (std::size_t k = 0; k < joints_; ++k) {
      const auto& [name, type, a, b, look] = scene_.joints[k];
      const Quaternion E = (a.body < 0 ? Quaternion::Identity() : turn(sample, a.body)) * a.triad;
      const double* wrench = &reaction_[6 * (sample * joints_ + k)];
      const Vec3 force = E * Vec3(wrench), torque = E * Vec3(wrench + 3);
      out.add_point(b.body < 0 ? b.point : Vec3(at(x_, sample, b.body) + turn(sample, b.body) * b.point));
      forces.insert(forces.end(), force.begin(), force.end());
      torques.insert(torques.end(), torque.begin(), torque.end());
    }
    out.point_data = data_array("reaction_force", forces, 3) + data_array("reaction_torque", torques, 3);
    return out;
  }

  Scene scene_;
  std::size_t bodies_, joints_;
  std::vector<double> time_, x_, q_, v_, omega_, reaction_;
  Samples samples_;
};

}  // namespace

std::size_t write_vtk(const std::string& path, const ResultReader& result, std::size_t frames) {
  try {
    return VtkWriter(result, frames).write_all(path);
  } catch (const std::filesystem::filesystem_error& error) {
    throw ResultError(fmt::format("{}: {}", path, error.code().message()));
  }
}

}  // namespace polhode::view

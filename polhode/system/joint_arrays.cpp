// The arrays of the library's joints.
#include <polhode/system/kernels.hpp>

namespace polhode {

template std::unique_ptr<JointArray<spherical_rows>> make_array();
template std::unique_ptr<JointArray<revolute_rows>> make_array();
template std::unique_ptr<JointArray<universal_rows>> make_array();
template std::unique_ptr<JointArray<cylindrical_rows>> make_array();
template std::unique_ptr<JointArray<prismatic_rows>> make_array();
template std::unique_ptr<JointArray<planar_rows>> make_array();
template std::unique_ptr<JointArray<weld_rows>> make_array();
template std::unique_ptr<JointArray<line_rows>> make_array();
template std::unique_ptr<JointArray<plane_rows>> make_array();
template std::unique_ptr<JointArray<rod_rows>> make_array();

}  // namespace polhode

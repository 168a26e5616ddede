// The inertia of a body at the points where mechanics wants it, from the point and axes in which the user gave it.
#pragma once

#include <polhode/model/model.hpp>

namespace polhode {

/// About the centre of mass, in the axes of the body frame [kg m^2].
Mat3 inertia_at_centre_of_mass(const Body& body);

/// The pivot of a fixed-point body in its own frame, R^T (pivot - position) [m].
Vec3 pivot_in_body(const Body& body);

/// About the pivot of a fixed-point body, in the axes of the body frame [kg m^2].
Mat3 inertia_at_pivot(const Body& body);

}  // namespace polhode

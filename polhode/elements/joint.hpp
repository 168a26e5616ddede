// What the header of a joint includes: fields that all joints share, the traits of a kind, and what it compiles to.
//
// Equations are written with r, from the anchor on a to the anchor on b, and with the axes a_i and b_j of the two
// markers; a_3 and b_3 are along the joint's axis, and a_1 is parallel to b_1 at the model pose. docs/joints.md says
// why these equations.
#pragma once

#include <polhode/model/check.hpp>
#include <polhode/model/joint.hpp>
#include <polhode/system/builder.hpp>

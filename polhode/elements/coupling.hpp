// What the header of a coupling includes: fields that all couplings share, the traits of a kind, and what it compiles
// to.
#pragma once

#include <polhode/model/check.hpp>
#include <polhode/model/joint.hpp>
#include <polhode/system/builder.hpp>

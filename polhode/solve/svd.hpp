// Singular values of a dense matrix: Eigen's, compiled once, because that takes longer than most of our files.
#pragma once

#include <Eigen/SVD>

#include <polhode/lie/algebra.hpp>

extern template class Eigen::JacobiSVD<polhode::MatX>;

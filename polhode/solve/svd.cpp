#include <polhode/solve/svd.hpp>

template class Eigen::JacobiSVD<polhode::MatX>;

// The data of one or several results as the page reads them: a header in JSON, then arrays of numbers in binary.
// web/src/package.ts is the other side; docs/report.md describes the format.
#pragma once

#include <string>
#include <vector>

#include <polhode/io/result.hpp>

namespace polhode::view {

struct PackageOptions {
  std::size_t frames = 0;  ///< at most so many poses; 0: as many as keep the package within some tens of MB
};

/// The package of these result files, the first of which is what the others are compared with. Throws ResultError for a
/// file that is no result, ModelError for a model that this version cannot read.
std::string make_package(const std::vector<std::string>& files, const PackageOptions& options = {});

/// What is known of a result while its run goes on: samples so far, samples planned, whether and how it has ended.
/// As JSON, a list with an object a file.
std::string package_status(const std::vector<std::string>& files);

/// The largest distance and angle of any body of two results, at the times that both have.
struct Difference {
  std::vector<double> time, position, angle;  ///< of the worst body, at each common time [s, m, rad]
};
Difference difference(const ResultReader& a, const ResultReader& b);

}  // namespace polhode::view

// The page that shows results: web/ built into one HTML file, kept in the library.
#pragma once

#include <string>
#include <string_view>

namespace polhode::view {

/// The page without data, as `polhode view` serves it. Throws std::runtime_error if the library was built without it.
std::string_view page();

/// The page with a package (package.hpp) in it: one file that opens from disk.
std::string page_with(std::string_view package);

}  // namespace polhode::view

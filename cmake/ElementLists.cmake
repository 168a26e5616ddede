# The kinds of a family, from its folder: polhode_element_list(joints JointKind OUT). The header point_on_line.hpp holds the struct PointOnLine.
# Writes <polhode/elements/joints.hpp>, which includes all headers, and a source with the list of kinds, in which their arrays are compiled.
function(polhode_element_list family type out)
  set(folder ${PROJECT_SOURCE_DIR}/polhode/elements/${family})
  file(GLOB headers RELATIVE ${folder} CONFIGURE_DEPENDS ${folder}/*.hpp)
  set(includes "")
  set(entries "")
  foreach(header ${headers})
    cmake_path(GET header STEM name)
    string(REPLACE "_" ";" words ${name})
    set(struct "")
    foreach(word ${words})
      string(SUBSTRING ${word} 0 1 first)
      string(SUBSTRING ${word} 1 -1 rest)
      string(TOUPPER ${first} first)
      string(APPEND struct ${first}${rest})
    endforeach()
    string(APPEND includes "#include <polhode/elements/${family}/${header}>\n")
    string(APPEND entries "      &kind<${struct}>,\n")
  endforeach()
  string(REGEX REPLACE "s$" "" one ${family})
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/generated/polhode/elements/${family}.hpp CONTENT
    "// All ${family} of the library. Made from the folder polhode/elements/${family}.\n#pragma once\n\n${includes}")
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/generated/${family}.cpp CONTENT
    "// The list of ${family}. Made from the folder polhode/elements/${family}.
#include <polhode/elements/kinds.hpp>
#include <polhode/elements/${family}.hpp>
#include <polhode/system/builder_kernels.hpp>

namespace polhode {

template <>
KindList<${type}>& kind_list<${type}>() {
  static KindList<${type}> list({
${entries}  });
  return list;
}

}  // namespace polhode
")
  set(${out} ${PROJECT_BINARY_DIR}/generated/${family}.cpp PARENT_SCOPE)
endfunction()

# SuiteSparse's sparse LU, as SuiteSparse::KLU.
include(FindPackageHandleStandardArgs)

find_path(SuiteSparse_INCLUDE_DIR klu.h PATH_SUFFIXES suitesparse)
set(_required SuiteSparse_INCLUDE_DIR)
foreach(_library klu btf amd colamd suitesparseconfig)
  find_library(SuiteSparse_${_library}_LIBRARY ${_library})
  list(APPEND _required SuiteSparse_${_library}_LIBRARY)
endforeach()
if(SuiteSparse_INCLUDE_DIR)
  file(STRINGS ${SuiteSparse_INCLUDE_DIR}/SuiteSparse_config.h _lines REGEX "SUITESPARSE_(MAIN|SUB|SUBSUB)_VERSION [0-9]+")
  string(REGEX REPLACE "[^0-9]*MAIN_VERSION ([0-9]+).*SUB_VERSION ([0-9]+).*SUBSUB_VERSION ([0-9]+).*" "\\1.\\2.\\3"
    SuiteSparse_VERSION "${_lines}")
endif()
find_package_handle_standard_args(SuiteSparse REQUIRED_VARS ${_required} VERSION_VAR SuiteSparse_VERSION)
mark_as_advanced(${_required})

function(_suitesparse_target name)  # libraries, the one that needs the others first
  if(NOT TARGET SuiteSparse::${name})
    add_library(SuiteSparse::${name} INTERFACE IMPORTED)
    target_include_directories(SuiteSparse::${name} INTERFACE ${SuiteSparse_INCLUDE_DIR})
    foreach(_library ${ARGN})
      target_link_libraries(SuiteSparse::${name} INTERFACE ${SuiteSparse_${_library}_LIBRARY})
    endforeach()
  endif()
endfunction()

if(SuiteSparse_FOUND)
  _suitesparse_target(KLU klu btf amd colamd suitesparseconfig)
endif()

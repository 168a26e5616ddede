# The C library of HDF5 alone, as HDF5C::HDF5C. CMake's own FindHDF5 compiles trial programs in C, so that a project in
# C++ only could not use us.
include(FindPackageHandleStandardArgs)

find_path(HDF5C_INCLUDE_DIR hdf5.h PATH_SUFFIXES hdf5/serial)
find_library(HDF5C_LIBRARY NAMES hdf5_serial hdf5 PATH_SUFFIXES hdf5/serial)
if(HDF5C_INCLUDE_DIR)
  foreach(_header H5pubconf.h H5pubconf-64.h)  # Debian has one per word length
    if(EXISTS ${HDF5C_INCLUDE_DIR}/${_header})
      file(STRINGS ${HDF5C_INCLUDE_DIR}/${_header} _line REGEX "define H5_VERSION ")
      string(REGEX MATCH "[0-9]+\\.[0-9]+\\.[0-9]+" HDF5C_VERSION "${_line}")
    endif()
  endforeach()
endif()
find_package_handle_standard_args(HDF5C REQUIRED_VARS HDF5C_LIBRARY HDF5C_INCLUDE_DIR VERSION_VAR HDF5C_VERSION)
mark_as_advanced(HDF5C_LIBRARY HDF5C_INCLUDE_DIR)

if(HDF5C_FOUND AND NOT TARGET HDF5C::HDF5C)
  add_library(HDF5C::HDF5C UNKNOWN IMPORTED)
  set_target_properties(HDF5C::HDF5C PROPERTIES
    IMPORTED_LOCATION ${HDF5C_LIBRARY} INTERFACE_INCLUDE_DIRECTORIES ${HDF5C_INCLUDE_DIR})
endif()

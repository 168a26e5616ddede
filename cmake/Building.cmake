# How everything of ours is compiled: language, warnings, and what makes builds quick.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)  # the library also goes into the Python module

get_property(several_configurations GLOBAL PROPERTY GENERATOR_IS_MULTI_CONFIG)
if(NOT several_configurations AND NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Debug, Release, RelWithDebInfo" FORCE)
endif()

# The instruction set: that of processors since about 2015 (AVX2, FMA) if this machine has it, or as POLHODE_ARCH says. It stays with our
# own sources: a program that uses the installed library is compiled as its owner wants. Eigen's alignments, which usually follow these
# flags, are fixed for both: see EIGEN_MAX_ALIGN_BYTES.
set(POLHODE_ARCH auto CACHE STRING "-march of the compiler: auto (x86-64-v3 if this machine has it), native, x86-64, ...; empty: its default")
set(architecture ${POLHODE_ARCH})
if(architecture STREQUAL auto)
  include(CheckCXXSourceRuns)
  check_cxx_source_runs("int main() { return __builtin_cpu_supports(\"avx2\") && __builtin_cpu_supports(\"fma\") && __builtin_cpu_supports(\"bmi2\") ? 0 : 1; }"
    POLHODE_HAS_X86_64_V3)
  set(architecture "")
  if(POLHODE_HAS_X86_64_V3)
    set(architecture x86-64-v3)
  endif()
endif()
if(architecture)
  add_compile_options(-march=${architecture})
endif()
# No fused products: results would then depend on the processor. Nobody asks for errno or traps of the arithmetic (results are the same).
# Vectors of two numbers: blocks have three or six rows, and what is written by twos is best read by twos.
add_compile_options(-ffp-contract=off -fno-math-errno -fno-trapping-math)
# Nobody replaces our functions at load time: the compiler may put one into another, although the code can also go into the Python module.
add_compile_options(-fno-semantic-interposition)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  add_compile_options(-mprefer-vector-width=128)
endif()

# What is worth it on blocks of three to six rows, the compiler puts into vectors by itself; Eigen's own loops are as fast without (heavy
# top and chains the same within 5 %), compile quicker, and valgrind 3.19 does not know all that they use.
add_compile_definitions(EIGEN_DONT_VECTORIZE)

find_program(CCACHE ccache)
if(CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)  # with precompiled headers, and for clones in other folders
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env
    CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
    CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} CCACHE_NOHASHDIR=1 ${CCACHE})
  add_compile_options($<$<COMPILE_LANG_AND_ID:CXX,GNU>:-fpch-preprocess>)
endif()

foreach(linker mold lld)
  find_program(LINKER_${linker} NAMES ${linker} ld.${linker})
  if(LINKER_${linker})
    add_link_options(-fuse-ld=${linker})
    break()
  endif()
endforeach()

# For targets that are not at work in a step: fewer of Eigen's loops are written out by templates. A fifth less to compile; a step through
# code of this kind would take a tenth longer.
function(polhode_quick_to_compile target)
  target_compile_definitions(${target} PRIVATE EIGEN_UNROLLING_LIMIT=20)
endfunction()

# Warnings, for our own targets.
function(polhode_warnings target)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wshadow -Wnon-virtual-dtor)
  if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    # GCC 12 takes "a" + std::string for an overlapping or endless copy (its bugs 105329, 105651).
    target_compile_options(${target} PRIVATE -Wno-restrict -Wno-stringop-overflow)
  endif()
  if(POLHODE_WARNINGS_AS_ERRORS)
    target_compile_options(${target} PRIVATE -Werror)
  endif()
endfunction()

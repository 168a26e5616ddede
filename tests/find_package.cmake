# Installs BUILD to a fresh prefix, then configures, builds and tests the project in EXAMPLES against it. The examples are
# compiled for this machine's instructions, the library is not: they must still agree.
set(here ${BUILD}/find_package)
file(REMOVE_RECURSE ${here})
file(MAKE_DIRECTORY ${here}/examples)

function(run)
  execute_process(COMMAND ${ARGN} WORKING_DIRECTORY ${here}/examples COMMAND_ERROR_IS_FATAL ANY)
endfunction()
run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${here}/prefix)
run(${CMAKE_COMMAND} -G Ninja -S ${EXAMPLES} -B . -D CMAKE_PREFIX_PATH=${here}/prefix -D CMAKE_CXX_COMPILER=${COMPILER}
  -D CMAKE_BUILD_TYPE=Release -D CMAKE_CXX_FLAGS=-march=native)
run(${CMAKE_COMMAND} --build .)
run(${CMAKE_CTEST_COMMAND} --output-on-failure --no-tests=error)

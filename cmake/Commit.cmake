# Writes the commit of the source into FILE, if it has changed. Run at every build: cmake -D SOURCE=... -D FILE=... -P
execute_process(COMMAND git -C ${SOURCE} describe --always --dirty --abbrev=12 --exclude=*
  OUTPUT_VARIABLE commit ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE RESULT_VARIABLE failed)
if(failed)
  set(commit "")
endif()
set(text "// Made by cmake/Commit.cmake.
#include <polhode/io/provenance.hpp>

namespace polhode {

std::string_view source_commit() { return \"${commit}\"; }

}  // namespace polhode
")
set(before "")
if(EXISTS ${FILE})
  file(READ ${FILE} before)
endif()
if(NOT text STREQUAL before)
  file(WRITE ${FILE} "${text}")
endif()

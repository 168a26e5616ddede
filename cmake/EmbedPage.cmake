# Builds the page of web/ with npm and puts it into the library, so that the installed program has it wherever it runs.
# Without npm, or with POLHODE_PAGE off, the library has no page and says so when asked for one.
find_program(NPM npm)
if(NPM AND PROJECT_IS_TOP_LEVEL)
  set(page_by_default ON)
else()
  set(page_by_default OFF)
endif()
option(POLHODE_PAGE "Build the page of reports and the viewer (needs npm, which fetches packages)" ${page_by_default})

function(polhode_embed_page target)
  set(source ${CMAKE_CURRENT_BINARY_DIR}/generated/embedded_page.cpp)
  if(NOT POLHODE_PAGE)
    file(CONFIGURE OUTPUT ${source} CONTENT "// Made by cmake/EmbedPage.cmake: there is no page.
#include <string_view>
namespace polhode::view {
std::string_view embedded_page();
std::string_view embedded_page() { return {}; }
}  // namespace polhode::view
" @ONLY)
    target_sources(${target} PRIVATE ${source})
    return()
  endif()
  if(NOT NPM)
    message(FATAL_ERROR "POLHODE_PAGE needs npm: install the packages nodejs and npm, or configure with -D POLHODE_PAGE=OFF")
  endif()

  set(web ${CMAKE_CURRENT_SOURCE_DIR}/web)
  set(page ${CMAKE_CURRENT_BINARY_DIR}/web/index.html)
  set(packages ${CMAKE_CURRENT_BINARY_DIR}/web/packages)
  file(GLOB inputs CONFIGURE_DEPENDS ${web}/src/* ${web}/index.html ${web}/*.json ${web}/vite.config.ts)
  add_custom_command(OUTPUT ${packages}
    COMMAND ${CMAKE_COMMAND} -E env PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD=1 ${NPM} ci --no-audit --no-fund --loglevel=error
    COMMAND ${CMAKE_COMMAND} -E touch ${packages}
    DEPENDS ${web}/package.json ${web}/package-lock.json WORKING_DIRECTORY ${web} VERBATIM COMMENT "Fetching the packages of web/")
  add_custom_command(OUTPUT ${page}
    COMMAND ${NPM} run --silent build -- --logLevel warn --emptyOutDir --outDir ${CMAKE_CURRENT_BINARY_DIR}/web/page
    COMMAND ${CMAKE_COMMAND} -E copy ${CMAKE_CURRENT_BINARY_DIR}/web/page/index.html ${page}
    DEPENDS ${inputs} ${packages} WORKING_DIRECTORY ${web} VERBATIM COMMENT "Building the page of web/")

  # .incbin takes the file as it is: compilers limit the length of a text, and an array of bytes compiles slowly.
  file(CONFIGURE OUTPUT ${source} CONTENT "// Made by cmake/EmbedPage.cmake from web/.
#include <string_view>
asm(R\"(
  .section .rodata
  .global polhode_page_begin
  .global polhode_page_end
polhode_page_begin:
  .incbin \"@page@\"
polhode_page_end:
  .byte 0
  .previous
)\");
extern \"C\" const char polhode_page_begin[], polhode_page_end[];
namespace polhode::view {
std::string_view embedded_page();
std::string_view embedded_page() { return {polhode_page_begin, static_cast<std::size_t>(polhode_page_end - polhode_page_begin)}; }
}  // namespace polhode::view
" @ONLY)
  set_source_files_properties(${source} PROPERTIES OBJECT_DEPENDS ${page} SKIP_PRECOMPILE_HEADERS ON)
  target_sources(${target} PRIVATE ${source})
endfunction()

#include <polhode/view/page.hpp>

#include <stdexcept>

#include <zlib.h>

#include <polhode/view/base64.hpp>

namespace polhode::view {

std::string_view embedded_page();  // made by cmake/EmbedPage.cmake; empty if web/ was not built

namespace {

constexpr std::string_view place = R"(<script type="application/octet-stream" id="polhode-data">)";

std::string deflate(std::string_view bytes) {
  uLongf size = compressBound(bytes.size());
  std::string out(size, '\0');
  if (compress2(reinterpret_cast<Bytef*>(out.data()), &size, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size(),
                6) != Z_OK)
    throw std::runtime_error("the data of the report could not be compressed");
  out.resize(size);
  return out;
}

}  // namespace

std::string_view page() {
  if (embedded_page().empty())
    throw std::runtime_error(
        "this polhode was built without its page; install nodejs and npm, configure with -D POLHODE_PAGE=ON and build "
        "again");
  return embedded_page();
}

std::string page_with(std::string_view package) {
  const std::string_view html = page();
  const std::size_t at = html.find(place);
  if (at == std::string_view::npos) throw std::runtime_error("the page has no place for data; build web/ again");
  std::string out(html.substr(0, at + place.size()));
  out += base64(deflate(package));
  out += html.substr(at + place.size());
  return out;
}

}  // namespace polhode::view

#include "page_server.hpp"

#include <algorithm>
#include <list>
#include <optional>
#include <stdexcept>

#include <sys/random.h>
#include <sys/resource.h>

#include <fmt/format.h>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>

#include <polhode/version.hpp>
#include <polhode/view/package.hpp>
#include <polhode/view/page.hpp>

namespace polhode {
namespace {

namespace beast = boost::beast;
namespace http = beast::http;
namespace asio = boost::asio;
using tcp = asio::ip::tcp;

constexpr std::size_t most_connections = 128, other_files = 32;
constexpr auto time_until_files_are_free = std::chrono::milliseconds(200);
constexpr std::uint32_t most_header_bytes = 8192;
constexpr auto time_to_ask = std::chrono::seconds(5);
constexpr auto time_to_take = std::chrono::seconds(60);

using Request = http::request<http::empty_body>;
using SharedText = std::shared_ptr<const std::string>;  ///< one for all clients that take it
/// An answer, and the text that its body looks at.
using Response = std::pair<http::response<http::span_body<const char>>, SharedText>;

Response answer(http::status status, std::string_view type, std::string_view body, SharedText owner, unsigned version) {
  Response out{{status, version}, std::move(owner)};
  auto& response = out.first;
  response.set(http::field::server, fmt::format("polhode/{}", polhode::version));
  response.set(http::field::content_type, beast::string_view(type.data(), type.size()));
  response.set(http::field::cache_control, "no-store");
  response.set("X-Content-Type-Options", "nosniff");
  response.set("Referrer-Policy", "no-referrer");
  response.set("Cross-Origin-Resource-Policy", "same-origin");
  response.set("Content-Security-Policy",
               "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:; "
               "connect-src 'self'; "
               "base-uri 'none'; form-action 'none'; frame-ancestors 'none'");
  response.keep_alive(false);
  response.body() = {body.data(), body.size()};
  response.prepare_payload();
  return out;
}

Response answer(http::status status, std::string_view type, SharedText body, unsigned version) {
  const std::string_view text = *body;
  return answer(status, type, text, std::move(body), version);
}

/// 128 random bits, that nobody guesses.
std::string random_token() {
  unsigned char bits[16];
  if (::getrandom(bits, sizeof bits, 0) != sizeof bits) throw std::runtime_error("there are no random numbers");
  std::string out;
  for (const unsigned char b : bits) out += fmt::format("{:02x}", b);
  return out;
}

/// As many as the limit of open files allows beside what else is open.
std::size_t connection_limit() {
  struct rlimit files {};
  if (::getrlimit(RLIMIT_NOFILE, &files) != 0 || files.rlim_cur == RLIM_INFINITY) return most_connections;
  const std::size_t all = files.rlim_cur;
  return std::clamp<std::size_t>(all > other_files ? all - other_files : 1, 1, most_connections);
}

}  // namespace

/// Everything runs in the one thread that calls run().
struct PageServer::Server {
  /// One client: one request, one answer.
  struct Connection : std::enable_shared_from_this<Connection> {
    Connection(Server& owner, tcp::socket socket) : server(owner), stream(std::move(socket)) {
      parser.header_limit(most_header_bytes);
      parser.body_limit(0);
    }

    void start() {
      stream.expires_after(time_to_ask);
      http::async_read(stream, buffer, parser,
                       [self = shared_from_this()](beast::error_code error, std::size_t) { self->asked(error); });
    }

    void asked(beast::error_code error) {
      if (error == beast::error::timeout || error == http::error::end_of_stream ||
          error == asio::error::operation_aborted)
        return leave();
      response = error ? answer(http::status::bad_request, "text/plain", "This is no request.\n", nullptr, 11)
                       : server.respond(parser.get());
      const bool head = !error && parser.get().method() == http::verb::head;
      stream.expires_after(time_to_take);
      serializer.emplace(response->first);
      const auto done = [self = shared_from_this()](beast::error_code, std::size_t) {
        beast::error_code ignored;
        self->stream.socket().shutdown(tcp::socket::shutdown_send, ignored);
        self->leave();
      };
      if (head)
        http::async_write_header(stream, *serializer, done);
      else
        http::async_write(stream, *serializer, done);
    }

    void leave() { server.forget(this); }

    Server& server;
    beast::tcp_stream stream;
    beast::flat_buffer buffer{2 * most_header_bytes};
    http::request_parser<http::empty_body> parser;
    std::optional<Response> response;
    std::optional<http::response_serializer<http::span_body<const char>>> serializer;
  };

  Server(std::vector<std::string> files, std::size_t most_frames, std::uint16_t wanted)
      : results(std::move(files)), frames(most_frames) {
    const tcp::endpoint here(asio::ip::address_v4::loopback(), wanted);
    beast::error_code error;
    acceptor.open(here.protocol(), error);
    if (!error) acceptor.bind(here, error);
    if (!error) acceptor.listen(asio::socket_base::max_listen_connections, error);
    if (error)
      throw std::runtime_error(fmt::format("cannot listen on 127.0.0.1, port {}: {}", wanted, error.message()));
    port = acceptor.local_endpoint().port();
  }

  void accept() {
    acceptor.async_accept([this](beast::error_code error, tcp::socket socket) {
      if (error == asio::error::operation_aborted) return;
      if (error) return accept_later();
      while (connections.size() >= limit) cut_off(connections.front());
      connections.push_back(std::make_shared<Connection>(*this, std::move(socket)));
      connections.back()->start();
      accept();
    });
  }

  /// No file is free for a connection: asking again at once would take a processor.
  void accept_later() {
    pause.expires_after(time_until_files_are_free);
    pause.async_wait([this](beast::error_code error) {
      if (!error) accept();
    });
  }

  void cut_off(const std::shared_ptr<Connection> connection) {
    beast::error_code ignored;
    connection->stream.socket().close(ignored);
    connections.remove(connection);
  }

  void forget(const Connection* connection) {
    connections.remove_if([&](const auto& other) { return other.get() == connection; });
  }

  /// A page of another origin that has its name resolved to this machine does not get in.
  bool meant_for_us(const Request& request) const {
    if (request.count(http::field::host) != 1) return false;
    const auto host = request[http::field::host];
    return host == fmt::format("127.0.0.1:{}", port) || host == fmt::format("localhost:{}", port);
  }

  Response respond(const Request& request) {
    const unsigned http_version = request.version() == 10 ? 10 : 11;
    const auto say = [&](http::status status, const std::string& text) {
      return answer(status, "text/plain; charset=utf-8", std::make_shared<const std::string>(text + "\n"),
                    http_version);
    };
    if (request.count(http::field::host) > 1) return say(http::status::bad_request, "A request names one host.");
    if (!meant_for_us(request)) return say(http::status::misdirected_request, "This server is for its own machine.");
    if (request.method() != http::verb::get && request.method() != http::verb::head)
      return say(http::status::method_not_allowed, "Only GET.");
    std::string_view target(request.target().data(), request.target().size());
    if (!target.starts_with("/" + token + "/"))
      return say(http::status::forbidden, "Open the address that polhode has printed, with its token.");
    target.remove_prefix(1 + token.size());
    try {
      if (target == "/")
        return answer(http::status::ok, "text/html; charset=utf-8", view::page(), nullptr, http_version);
      if (target == "/status")
        return answer(http::status::ok, "application/json",
                      std::make_shared<const std::string>(view::package_status(results)), http_version);
      if (target == "/data") return answer(http::status::ok, "application/octet-stream", package(), http_version);
    } catch (const std::exception& error) {
      return say(http::status::service_unavailable, error.what());
    }
    return say(http::status::not_found, "There is nothing here.");
  }

  /// Made again only when results have grown.
  SharedText package() {
    const std::string status = view::package_status(results);
    if (status != packed_status) {
      before = std::exchange(packed, std::make_shared<const std::string>(view::make_package(results, {frames})));
      packed_status = status;
      cut_off_readers_of_older();
    }
    return packed;
  }

  /// No more than two packages are in memory, however slowly clients take them.
  void cut_off_readers_of_older() {
    std::vector<std::shared_ptr<Connection>> slow;
    for (const auto& one : connections)
      if (one->response && one->response->second && one->response->second->starts_with("PLHV") &&
          one->response->second != packed && one->response->second != before)
        slow.push_back(one);
    for (const auto& one : slow) cut_off(one);
  }

  std::vector<std::string> results;
  std::size_t frames;
  const std::string token = random_token();
  const std::size_t limit = connection_limit();
  SharedText packed, before;
  std::string packed_status;
  asio::io_context context{1};
  tcp::acceptor acceptor{context};
  asio::steady_timer pause{context};
  std::list<std::shared_ptr<Connection>> connections;
  std::uint16_t port = 0;
};

PageServer::PageServer(std::vector<std::string> results, std::size_t frames, std::uint16_t port)
    : server_(std::make_unique<Server>(std::move(results), frames, port)) {}

PageServer::~PageServer() = default;

std::string PageServer::address() const {
  return fmt::format("http://127.0.0.1:{}/{}/", server_->port, server_->token);
}

void PageServer::run() {
  asio::signal_set signals(server_->context, SIGINT, SIGTERM, SIGHUP);
  signals.async_wait([this](beast::error_code, int) { server_->context.stop(); });
  server_->accept();
  server_->context.run();
}

}  // namespace polhode

// A small HTTP server for one page on this machine: the page, the data of some results and their status, nothing else.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace polhode {

/// Answers on 127.0.0.1 only, to requests that name this machine as their host, once, and know the token: 128 random bits,
/// which other users and other pages of this machine do not have.
///
/// | request           | answer                                      |
/// | ----------------- | ------------------------------------------- |
/// | GET /TOKEN/       | the page                                    |
/// | GET /TOKEN/data   | the package of the results, as they are now |
/// | GET /TOKEN/status | samples so far, and whether runs go on      |
///
/// No request names a file, so none can be read but the results. Requests have 8 kB and five seconds, answers a minute;
/// a client that takes longer, or the oldest of too many, is cut off. All clients share one package in memory. One thread
/// serves all, none waits for another.
class PageServer {
 public:
  /// Takes the port; 0: any that is free. Throws std::runtime_error.
  PageServer(std::vector<std::string> results, std::size_t frames, std::uint16_t port);
  ~PageServer();
  PageServer(const PageServer&) = delete;
  PageServer& operator=(const PageServer&) = delete;

  std::string address() const;  ///< http://127.0.0.1:PORT/TOKEN/
  void run();                   ///< until Ctrl-C, SIGTERM or SIGHUP

 private:
  struct Server;
  std::unique_ptr<Server> server_;
};

}  // namespace polhode

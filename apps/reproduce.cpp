// polhode reproduce [PAPER]: the numerical sections of the papers, as figures, tables and claims against measurements.
#include <algorithm>
#include <filesystem>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <polhode/describe/words.hpp>
#include <polhode/model/error.hpp>
#include <polhode/papers/report.hpp>

#include "outputs.hpp"
#include "progress.hpp"
#include "say.hpp"
#include "verbs.hpp"

namespace polhode {
namespace {

struct ReproduceOptions {
  std::vector<std::string> papers;
  std::string output = "papers";
  bool quiet = false;
};

int reproduce(const ReproduceOptions& options) {
  std::vector<std::string> names;
  for (const papers::Paper& paper : papers::all()) names.push_back(paper.name);
  std::vector<std::string> wanted = options.papers;
  if (wanted.empty() || std::find(wanted.begin(), wanted.end(), "all") != wanted.end()) wanted = names;
  for (const std::string& name : wanted)
    if (std::find(names.begin(), names.end(), name) == names.end())
      throw ModelError(fmt::format("there is no paper \"{}\"; there are: {}, all{}", name, fmt::join(names, ", "),
                                   did_you_mean(name, names)));

  std::error_code failed;
  std::filesystem::create_directories(options.output, failed);  // says now what would keep it from being written later
  if (failed) throw std::runtime_error(fmt::format("{}: cannot be made: {}", options.output, failed.message()));
  check_outputs({}, {(std::filesystem::path(options.output) / "README.md").string()});

  InterruptGuard interrupt;
  const bool shown = !options.quiet && isatty(STDERR_FILENO);
  for (const papers::Paper& paper : papers::all()) {
    if (std::find(wanted.begin(), wanted.end(), paper.name) == wanted.end()) continue;
    if (!options.quiet) say("{}: {}\n", paper.name, paper.title);
    const papers::Page page = paper.make([&](const std::string& what) {
      if (shown) {
        fmt::print(stderr, "\r{:100}\r  {} ...", "", what);
        std::fflush(stderr);
      }
      return !interrupt.raised();
    });
    if (shown) fmt::print(stderr, "\r{:100}\r", "");
    if (interrupt.raised()) {
      complain("interrupted; nothing was written for {}\n", paper.name);
      return interrupted;
    }
    const std::filesystem::path folder = std::filesystem::path(options.output) / paper.name;
    write(page, folder);
    std::size_t tables = 0, drawings = 0;
    int verdicts[4] = {};
    for (const auto& section : page.sections) {
      tables += section.tables.size();
      drawings += section.drawings.size();
      for (const auto& claim : section.claims) ++verdicts[static_cast<int>(claim.verdict)];
    }
    if (!options.quiet)
      say("  {}: {} tables, {} figures; of the paper's claims {} confirmed, {} in part, {} not confirmed, {} not "
          "tested\n",
          (folder / "README.md").string(), tables, drawings, verdicts[0], verdicts[1], verdicts[2], verdicts[3]);
  }
  return ok;
}

}  // namespace

void add_reproduce(CLI::App& app, Action& action) {
  auto options = std::make_shared<ReproduceOptions>();
  CLI::App* verb = app.add_subcommand(
      "reproduce", "the numerical sections of the papers: figures, tables, claims against measurements");
  std::string names, about = "Papers:\n";
  for (const papers::Paper& paper : papers::all()) {
    names += paper.name + ", ";
    about += fmt::format("  {:<14} {}\n", paper.name, paper.title);
  }
  verb->add_option("PAPER", options->papers, fmt::format("which: {}or all (default: all)", names));
  verb->add_option("-o,--output", options->output,
                   "folder to write to; each paper gets a folder in it, with README.md, figures, tables and models")
      ->capture_default_str();
  verb->add_flag("-q,--quiet", options->quiet, "print errors only");
  verb->footer(about + "\nThe pages as they were made last: docs/papers/. All of them take about a minute.");
  verb->callback([options, &action] { action = [options] { return reproduce(*options); }; });
}

}  // namespace polhode

// polhode report RESULT...: one self-contained HTML file with the motion, the curves and the certificate.
#include <filesystem>

#include <fmt/format.h>

#include <polhode/io/output_file.hpp>
#include <polhode/view/package.hpp>
#include <polhode/view/page.hpp>

#include "other_version.hpp"
#include "outputs.hpp"
#include "say.hpp"
#include "verbs.hpp"

namespace polhode {
namespace {

struct ReportOptions {
  std::vector<std::string> results;
  std::string output;
  std::size_t frames = 0;
  bool quiet = false;
};

int report(const ReportOptions& options) {
  const std::string output =
      options.output.empty() ? std::filesystem::path(options.results[0]).stem().string() + ".html" : options.output;
  check_outputs(options.results, {output});
  for (const std::string& result : options.results) note_other_version(ResultReader(result));
  const std::string html = view::page_with(view::make_package(options.results, {options.frames}));
  write_file(output, html);
  if (!options.quiet) say("Report: {} ({:.2f} MB)\n", output, static_cast<double>(html.size()) * 1e-6);
  return ok;
}

}  // namespace

void add_report(CLI::App& app, Action& action) {
  auto options = std::make_shared<ReportOptions>();
  CLI::App* verb = app.add_subcommand("report", "one HTML file to open anywhere: the motion in 3D, plots, certificate");
  verb->add_option("RESULT", options->results, "result files; several are laid over each other")->required();
  verb->add_option("-o,--output", options->output,
                   "the file to write (default: the first result's name with .html, here)");
  verb->add_option("--frames", options->frames, "at most so many poses of the motion (default: as many as stay handy)")
      ->check(CLI::Range(2, 100000000));
  verb->add_flag("-q,--quiet", options->quiet, "print errors only");
  verb->callback([options, &action] { action = [options] { return report(*options); }; });
}

}  // namespace polhode

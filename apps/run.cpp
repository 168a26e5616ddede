// polhode run MODEL: simulate, with progress, certificate and result file.
#include <filesystem>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <polhode/describe/words.hpp>
#include <polhode/io/csv.hpp>
#include <polhode/io/file_recorder.hpp>
#include <polhode/io/provenance.hpp>
#include <polhode/io/same_bits.hpp>
#include <polhode/model/error.hpp>
#include <polhode/study/error_estimate.hpp>
#include <polhode/version.hpp>
#include <polhode/view/page.hpp>

#include "channels.hpp"
#include "model_options.hpp"
#include "outputs.hpp"
#include "progress.hpp"
#include "say.hpp"
#include "viewer_process.hpp"

namespace polhode {
namespace {

struct RunOptions {
  ModelOptions model;
  std::string output, csv, from;
  std::vector<std::string> channels, require;
  bool quiet = false, json = false, estimate_error = false, view = false;
};

/// `energy=1e-10` and the like.
std::map<std::string, double> read_requirements(const std::vector<std::string>& texts) {
  std::map<std::string, double> out;
  for (const std::string& text : texts) {
    const auto equals = text.find('=');
    const std::string name = text.substr(0, equals);
    const auto known = requirable();
    if (std::find(known.begin(), known.end(), name) == known.end())
      throw ModelError(fmt::format("--require {}: there is no figure \"{}\"; there are: {}{}", text, name,
                                   fmt::join(known, ", "), did_you_mean(name, known)));
    char* end = nullptr;
    const double limit = equals == std::string::npos ? -1 : std::strtod(text.c_str() + equals + 1, &end);
    if (equals == std::string::npos || end == text.c_str() + equals + 1 || *end != 0 || !(limit >= 0))
      throw ModelError(fmt::format("--require {}: expected a figure and its limit, such as {}=1e-10", text, name));
    if (!out.emplace(name, limit).second)
      throw ModelError(fmt::format("--require {}: {} is given twice; give its limit once", text, name));
  }
  return out;
}

/// Says before the run what would keep its table from being written after it.
void check_table(const std::vector<std::string>& channels, const std::string& output, const ResultLayout& layout) {
  if (output == "none") throw ModelError("--csv: needs a result file; do not give --output none with it");
  check_channels(channels, layout);
}

/// Says whether the run has the bits of the result that it repeats.
bool has_same_bits(const RunOptions& options, const MemoryRecorder& again) {
  const ResultReader before(options.from);
  const ResultLayout& layout = before.head().layout;
  const auto difference = first_difference(before, again);
  if (difference)
    complain("{}: the bits differ: {}\n  then: {}\n  now:  {}\n", options.from, *difference,
             provenance_text(layout.provenance_json, layout.version),
             provenance_text(make_provenance(layout.model_json), std::string(version)));
  else if (!options.quiet && !options.json)
    say("The bits agree with {}: {} samples\n", options.from, before.head().samples);
  return !difference;
}

int run(const RunOptions& options) {
  const auto required = read_requirements(options.require);
  const bool talk = !options.quiet && !options.json;
  const Model model = options.model.load(options.quiet);
  Simulation simulation(model);
  if (talk) {
    const StartReport& start = simulation.start_report();
    say("{}: {} bod{}, {} degree{} of freedom, {} equations ({} redundant)\n",
        model.name.empty() ? options.model.file : model.name, model.bodies.size(),
        model.bodies.size() == 1 ? "y" : "ies", start.freedoms, start.freedoms == 1 ? "" : "s", start.equations,
        start.redundancies.size());
    if (start.moved > 1e-12 || start.turned > 1e-12)
      say("assembled: bodies moved by up to {:.3g} m and turned by up to {:.3g} rad\n", start.moved, start.turned);
    if (start.velocity_change > 0) say("assembled: velocities changed by up to {:.3g} m/s\n", start.velocity_change);
  }

  const std::string output = !options.output.empty() ? options.output
                             : !options.from.empty()
                                 ? "none"
                                 : std::filesystem::path(options.model.file).stem().string() + ".h5";
  if (options.view && output == "none")
    throw ModelError("--view: shows the result file; do not give --output none with it");
  if (options.view) view::page();  // says before the run if there is none
  check_outputs({options.model.file}, {output == "none" ? "" : output, options.csv});
  if (!options.csv.empty()) check_table(options.channels, output, simulation.layout(""));
  InterruptGuard interrupt;  // until all is written
  std::optional<FileRecorder> file;
  interrupt.while_making(true);
  if (output != "none") file.emplace(output, result_layout(simulation));
  interrupt.while_making(false);
  std::optional<MemoryRecorder> again;
  if (!options.from.empty()) again.emplace(simulation.layout(""));
  Recorders recorder({file ? &*file : nullptr, again ? &*again : nullptr});
  std::optional<ViewerProcess> viewer;
  if (options.view) viewer.emplace(output);
  std::vector<std::string> troubles;  // told below the certificate, which they do not touch
  Certificate certificate;
  {
    ProgressBar bar(!options.quiet);
    certificate = simulation.run(recorder, [&] {
      bar.show(simulation.fraction(), simulation.time());
      return !interrupt.raised();
    });
  }
  if (certificate.status == Certificate::Status::interrupted)
    certificate.reason = fmt::format("interrupted by {} at t = {:g} s", interrupt.name(), simulation.time());
  if (options.estimate_error && certificate.complete()) {  // a signal ends the second run; the first one is whole
    ProgressBar bar(!options.quiet);
    certificate.trajectory = estimate_error(model, certificate, [&](double fraction, double time) {
      bar.show(fraction, time);
      return !interrupt.raised();
    });
    if (interrupt.raised())
      troubles.push_back(fmt::format("{}: {} ended the second run, of --estimate-error; the result is whole",
                                     options.model.file, interrupt.name()));
    judge(certificate);
  }
  const auto attempt = [&](const auto& write) {
    try {
      write();
    } catch (const std::exception& error) {
      troubles.emplace_back(error.what());
    }
  };
  const std::size_t ended_early = troubles.size();
  attempt([&] { recorder.finish(certificate); });
  if (file && !file->displaced().empty()) troubles.push_back(file->displaced());
  const bool written = troubles.size() == ended_early;
  if (!options.csv.empty() && written) attempt([&] { write_csv(options.csv, read_result(output), options.channels); });
  if (options.json)
    print_data("{}\n", to_json(certificate));
  else if (talk) {
    say("{}", to_text(certificate));
    if (file && written) say("Result: {}\n", output);
    if (!options.csv.empty() && troubles.size() == ended_early) say("Table: {}\n", options.csv);
  }
  for (const std::string& trouble : troubles) complain("{}\n", trouble);
  if (!certificate.complete()) {
    complain("{}: {}\n", options.model.file, certificate.reason);
    if (file && written) complain("what was computed until then is in {}\n", output);
    return certificate.status == Certificate::Status::interrupted ? interrupted : run_failed;
  }
  if (!troubles.empty()) return interrupt.raised() ? interrupted : run_failed;
  if (viewer) {
    std::fflush(stdout);
    viewer->wait();
  }
  if (again && !has_same_bits(options, *again)) return not_met;
  const auto lines = unmet(certificate, required);
  for (const auto& line : lines) complain("{}: required figure not met: {}\n", options.model.file, line);
  return lines.empty() ? ok : not_met;
}

}  // namespace

void add_run(CLI::App& app, Action& action) {
  auto options = std::make_shared<RunOptions>();
  CLI::App* verb = app.add_subcommand("run", "simulate a model: progress, certificate, result file");
  options->model.add_to(*verb);
  verb->get_option("MODEL")->required(false);
  verb->add_option("--from", options->from,
                   "repeat the run of this result file in place of a MODEL, and say whether the bits agree; writes no "
                   "result unless --output is given");
  verb->add_option("-o,--output", options->output,
                   "result file, HDF5 (default: the model's name with .h5 here; none: no file)");
  verb->add_option("--csv", options->csv, "also write channels as comma-separated values to this file");
  verb->add_option("--channels", options->channels, "channels for --csv, such as top.position,energy (default: all)")
      ->delimiter(',')
      ->allow_extra_args(false);  // else it would swallow a MODEL behind it
  verb->add_option("--require", options->require,
                   "a figure that must be met, such as energy=1e-10 or turn=0.3; else exit status 3")
      ->delimiter(',')
      ->allow_extra_args(false);
  verb->add_flag("--estimate-error", options->estimate_error,
                 "two runs side by side, one at half the step, estimate the error of the trajectory");
  verb->add_flag("--view", options->view, "show the run in the browser while it goes on, and after it until Ctrl-C");
  verb->add_flag("-q,--quiet", options->quiet, "print errors only");
  verb->add_flag("--json", options->json, "print the certificate as one JSON object");
  verb->callback([options, &action] {
    if (options->model.file.empty() == options->from.empty())
      throw ModelError(options->from.empty() ? "run: MODEL is required, or --from RESULT"
                                             : "run: give a MODEL or --from RESULT, not both");
    options->model.of_result = !options->from.empty();
    if (options->model.of_result) options->model.file = options->from;
    action = [options] { return run(*options); };
  });
}

}  // namespace polhode

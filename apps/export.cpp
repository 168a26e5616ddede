// polhode export RESULT --to csv|vtk|gltf: a result for other programs.
#include <filesystem>

#include <fmt/format.h>

#include <polhode/io/csv.hpp>
#include <polhode/model/error.hpp>
#include <polhode/view/gltf.hpp>
#include <polhode/view/vtk.hpp>

#include "channels.hpp"
#include "other_version.hpp"
#include "outputs.hpp"
#include "say.hpp"
#include "verbs.hpp"

namespace polhode {
namespace {

struct ExportOptions {
  std::string result, to, output;
  std::vector<std::string> channels;
  std::size_t frames = 0;
  bool quiet = false;
};

int export_result(const ExportOptions& options) {
  const std::string ending = options.to == "vtk" ? ".pvd" : options.to == "gltf" ? ".glb" : ".csv";
  const std::string output =
      options.output.empty() ? std::filesystem::path(options.result).stem().string() + ending : options.output;
  if (options.to == "vtk" && !output.ends_with(".pvd"))
    throw ModelError(fmt::format("--output {}: the list of times of a VTK series is named .pvd", output));
  if (options.to != "csv" && !options.channels.empty())
    throw ModelError("--channels: only a table has channels; use --to csv");
  check_outputs({options.result}, {output});
  note_other_version(ResultReader(options.result));
  if (options.to == "csv") {
    if (options.frames > 0) throw ModelError("--frames: a table has all samples; leave --frames out");
    check_channels(options.channels, ResultReader(options.result).head().layout);
    write_csv(output, read_result(options.result), options.channels);
  } else if (options.to == "vtk") {
    const std::size_t times = view::write_vtk(output, ResultReader(options.result), options.frames);
    if (!options.quiet) say("{} times, in the folder beside it\n", times);
  } else {
    view::write_gltf(output, ResultReader(options.result), options.frames);
  }
  if (!options.quiet) say("Export: {}\n", output);
  return ok;
}

}  // namespace

void add_export(CLI::App& app, Action& action) {
  auto options = std::make_shared<ExportOptions>();
  CLI::App* verb = app.add_subcommand("export", "a result for other programs: tables, ParaView, Blender");
  verb->add_option("RESULT", options->result, "result file")->required();
  verb->add_option("--to", options->to,
                   "csv: a table; vtk: a series for ParaView; gltf: an animation for Blender and browsers")
      ->required()
      ->check(CLI::IsMember({"csv", "vtk", "gltf"}));
  verb->add_option("-o,--output", options->output,
                   "the file to write (default: the result's name with .csv, .pvd or .glb, here)");
  verb->add_option("--channels", options->channels, "channels of a table, such as top.position,energy (default: all)")
      ->delimiter(',')
      ->allow_extra_args(false);
  verb->add_option("--frames", options->frames, "at most so many times (default: all samples)")
      ->check(CLI::Range(2, 100000000));
  verb->add_flag("-q,--quiet", options->quiet, "print errors only");
  verb->callback([options, &action] { action = [options] { return export_result(*options); }; });
}

}  // namespace polhode

// polhode describe: the words of models, with units, meanings and defaults; for people, editors and programs.
#include <filesystem>
#include <fstream>
#include <iterator>

#include <fmt/format.h>

#include <polhode/io/model_description.hpp>
#include <polhode/io/output_file.hpp>

#include "say.hpp"
#include "verbs.hpp"

namespace polhode {
namespace {

struct DescribeOptions {
  std::string list;
  std::vector<std::string> pages;
  bool json = false, schema = false;
};

/// Makes the tables of a page new, in place.
void update(const std::string& page) {
  std::ifstream in(page, std::ios::binary);
  if (!in) throw std::runtime_error(fmt::format("{}: cannot be opened; is the path right?", page));
  const std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()},
      made = with_tables(text);
  if (made == text) return;
  write_file(page, made);
  say("{}: tables updated\n", page);
}

int run(const DescribeOptions& options) {
  for (const std::string& page : options.pages) update(page);
  if (!options.pages.empty()) return ok;
  if (options.schema)
    print_data("{}", model_schema());
  else if (options.json)
    print_data("{}", model_description());
  else if (!options.list.empty())
    say("{}", description_table(options.list));
  else
    for (const char* list : {"bodies", "shapes", "joints", "couplings", "drives", "forces", "functions", "simulation"})
      say("{}\n\n{}\n", list, description_table(list));
  return ok;
}

}  // namespace

void add_describe(CLI::App& app, Action& action) {
  auto options = std::make_shared<DescribeOptions>();
  CLI::App* verb = app.add_subcommand("describe", "list the words of models: kinds, fields, units, defaults");
  verb->add_option("LIST", options->list,
                   "bodies, shapes, joints, couplings, drives, forces, functions, simulation, or an integrator "
                   "(default: all lists)");
  verb->add_flag("--json", options->json, "print all descriptions as one JSON object");
  verb->add_flag("--schema", options->schema, "print the JSON schema of model files");
  verb->add_option("--update", options->pages,
                   "make the tables of Markdown pages new, between <!-- describe: LIST --> and <!-- end -->");
  verb->callback([options, &action] { action = [options] { return run(*options); }; });
}

}  // namespace polhode

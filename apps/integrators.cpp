// polhode integrators [NAME]: what there is, what each conserves, when to use it, its options.
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <polhode/describe/object.hpp>
#include <polhode/integrate/methods.hpp>
#include <polhode/papers/report.hpp>
#include <polhode/study/conservation.hpp>
#include <polhode/study/energy_gains.hpp>

#include "say.hpp"
#include "verbs.hpp"

namespace polhode {
namespace {

/// Breaks a text at blanks, with a hanging indent.
std::string wrapped(const std::string& text, std::size_t indent, std::size_t width = 100) {
  std::string out;
  std::size_t column = indent, begin = 0;
  while (begin < text.size()) {
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    if (column + end - begin > width) {
      out += "\n" + std::string(indent, ' ');
      column = indent;
    } else if (begin > 0) {
      out += ' ';
      ++column;
    }
    out.append(text, begin, end - begin);
    column += end - begin;
    begin = end + 1;
  }
  return out;
}

void print_method(const Method& m) {
  say("{}: {}\n", m.name, m.summary);
  for (const auto& [label, text] :
       {std::pair{"order", m.order}, {"conserves", m.conserves}, {"use it for", m.use}, {"source", m.source}})
    say("  {:<11} {}\n", label, wrapped(text, 14));
  say("  options\n");
  for (const FieldInfo& option : m.options->fields) {
    const std::string meaning = meaning_of(option), standard = default_of(*m.options, option);
    say("    {:<12} {}\n", option.word,
        wrapped(fmt::format("{}{}({}; default {})", meaning, meaning.empty() ? "" : " ", range_of(option), standard),
                17));
  }
}

nlohmann::ordered_json json_of(const Method& m) {
  nlohmann::ordered_json options = nlohmann::ordered_json::array();
  for (const FieldInfo& option : m.options->fields)
    options.push_back({{"name", std::string(option.word)},
                       {"meaning", meaning_of(option)},
                       {"range", range_of(option)},
                       {"default", default_of(*m.options, option)}});
  return {{"name", m.name}, {"summary", m.summary}, {"order", m.order},  {"conserves", m.conserves},
          {"use", m.use},   {"source", m.source},   {"options", options}};
}

/// The measured table of what methods keep, with each of their options.
int measure(const std::string& name) {
  std::vector<Conservation> rows;
  for (const IntegratorChoice& choice : method_variants())
    if (name.empty() || choice.name == find_method(name).name) rows.push_back(measure_conservation(choice));
  say("{}\n", conservation_table(rows));
  for (const Conservation& row : rows)
    if (!row.failure.empty()) say("{}: {}\n", row.integrator.name, row.failure);
  return ok;
}

/// The table of which method gains energy on which model.
int gains() {
  std::vector<GainCase> cases;
  for (const GainRun& run : gain_runs()) {
    cases.push_back({run.model, papers::built_in_model(run.model)});
    cases.back().model.simulation.step = run.step;
    cases.back().model.simulation.end_time = run.steps * run.step;
    cases.back().model.simulation.output_step.reset();
  }
  say("{}", gain_table(cases));
  return ok;
}

int show(const std::string& name, bool json) {
  if (json) {
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const Method& m : methods())
      if (name.empty() || m.name == find_method(name).name) list.push_back(json_of(m));
    print_data("{}\n", list.dump(2));
  } else if (!name.empty()) {
    print_method(find_method(name));
  } else {
    for (const Method& m : methods()) say("{:<20} {}\n", m.name, m.summary);
    say("\n`polhode integrators NAME` tells what a method conserves, when to use it, and its options.\n");
  }
  return ok;
}

}  // namespace

void add_integrators(CLI::App& app, Action& action) {
  struct Options {
    std::string name;
    bool json = false, measure = false, gains = false;
  };
  auto options = std::make_shared<Options>();
  CLI::App* verb =
      app.add_subcommand("integrators", "list the methods, or tell about one: what it conserves, its options");
  verb->add_option("NAME", options->name, "a method");
  verb->add_flag("--json", options->json, "print as JSON");
  verb->add_flag("--measure", options->measure,
                 "measure what the method, or every method, keeps with each of its options; as Markdown");
  verb->add_flag("--gains", options->gains,
                 "count the steps in which methods gain energy, on models that come with the program; as Markdown");
  verb->callback([options, &action] {
    action = [options] {
      return options->gains ? gains() : options->measure ? measure(options->name) : show(options->name, options->json);
    };
  });
}

}  // namespace polhode

// The page of a paper: its numerical section done again, each written claim beside what was measured.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include <polhode/io/figure.hpp>
#include <polhode/model/model.hpp>

namespace polhode::papers {

/// A table; a cell is a text, ready for print. Written as Markdown into the page and as NAME.csv beside it.
struct Table {
  std::string name, caption;
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows;
};

/// One drawing of several panels, written as NAME.svg.
struct Drawing {
  std::string name, caption;
  std::vector<Figure> panels;
  int columns = 2;
};

/// What the paper says, what was measured, and whether the one bears out the other.
struct Claim {
  enum class Verdict { confirmed, in_part, not_confirmed, not_tested };
  std::string where, says, measured;
  Verdict verdict = Verdict::confirmed;
};

/// A part of the page: a heading, text in Markdown, then tables, drawings and claims in this order.
struct Section {
  std::string title, text;
  std::vector<Table> tables;
  std::vector<Drawing> drawings;
  std::vector<Claim> claims;
};

struct Page {
  std::string name, title, citation, summary;
  std::vector<Section> sections;
  std::vector<std::string> models;    ///< built-in models that were used; written beside the page
  std::vector<std::string> commands;  ///< that give single numbers of the page by hand
};

/// Called with what is being computed; returns false to stop.
using Progress = std::function<bool(const std::string& what)>;

/// Says what is being computed; throws Interrupted if that is to stop. A page that catches it is empty.
struct Interrupted {};
void tell(const Progress& progress, const std::string& what);

/// Confirmed or not confirmed.
Claim::Verdict judged(bool borne_out);

/// The page in Markdown.
std::string to_markdown(const Page& page);

/// Writes README.md, the tables as CSV, the drawings as SVG and the models into a folder, which is made if it is not
/// there.
void write(const Page& page, const std::filesystem::path& folder);

/// A model that comes with the program, by the name of its file in models/; ModelError with the nearest name if there
/// is none.
Model built_in_model(const std::string& name);
std::string built_in_model_text(const std::string& name);
std::vector<std::string> built_in_models();

/// A number for a table: `digits` significant ones, 1.234560e-05 or 0.123456 as is shorter to read.
std::string number(double value, int digits = 6);

/// The papers that can be reproduced.
struct Paper {
  std::string name, title;
  std::function<Page(const Progress&)> make;
};
const std::vector<Paper>& all();

}  // namespace polhode::papers

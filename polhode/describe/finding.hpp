// What is wrong or odd about a description, as data: how grave, where, what. Front ends print it in their own form.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <polhode/lie/algebra.hpp>

namespace polhode {

/// Where an element stands: `joints[2] "elbow"`; or a part that is no list: `simulation`, `model`.
struct ElementPlace {
  std::string list;
  std::optional<std::size_t> index{};
  std::string name{};  ///< empty, or the place itself, for an element without a name
  bool operator==(const ElementPlace&) const = default;
};

struct Finding {
  enum class Severity { error, warning };
  Severity severity = Severity::error;
  ElementPlace place;
  std::string field;  ///< the word that it is about, such as `axis_a` or `newton.tolerance`; empty: the whole element
  std::string text;   ///< what, by how much, what to try
};

/// `joints[2] "elbow"`
std::string to_text(const ElementPlace& place);
/// `joints[2] "elbow": axis_a is [0, 0, 0]; give a direction such as [0, 0, 1]`; a warning says so after its place.
std::string to_text(const Finding& finding);

/// A number or a vector as it stands in messages, with the fewest digits that give it back.
std::string to_text(double number);
std::string to_text(const Vec3& v);

struct Findings {
  std::vector<Finding> all;

  std::vector<Finding> of(Finding::Severity severity) const;
  std::vector<Finding> errors() const { return of(Finding::Severity::error); }
  std::vector<Finding> warnings() const { return of(Finding::Severity::warning); }
  bool has_errors() const;
};

/// Notes findings about one element.
class Reporter {
 public:
  Reporter(Findings& findings, ElementPlace place) : findings_(&findings), place_(std::move(place)) {}

  /// `field` is the word that it is about; the text names it again, so that it reads as a sentence.
  void error(std::string field, std::string text) { add(Finding::Severity::error, std::move(field), std::move(text)); }
  void error(std::string text) { error("", std::move(text)); }
  void warning(std::string field, std::string text) {
    add(Finding::Severity::warning, std::move(field), std::move(text));
  }
  void warning(std::string text) { warning("", std::move(text)); }

  const ElementPlace& place() const { return place_; }
  std::size_t count() const { return findings_->all.size(); }
  /// Looking up the nearest name costs the size of the model: it is done for the first findings only.
  bool may_suggest() const;

  // Each is true if the value can stand; otherwise it is an error.
  bool finite(std::string_view field, double value);
  bool finite(std::string_view field, const Vec3& value);
  bool direction(std::string_view field, const Vec3& value);   ///< finite and not zero
  bool rotation(std::string_view field, const Quaternion& q);  ///< of norm 1

 private:
  void add(Finding::Severity severity, std::string field, std::string text);

  Findings* findings_;
  ElementPlace place_;
};

}  // namespace polhode

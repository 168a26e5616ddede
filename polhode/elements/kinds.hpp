// The lists of all kinds: those of the library, from the folders beside this file, and those that a program adds.
#pragma once

#include <vector>

#include <polhode/model/force.hpp>

namespace polhode {

/// Kinds in their order, each word once.
template <class Kind>
class KindList {
 public:
  explicit KindList(std::vector<const Kind*> kinds);
  const std::vector<const Kind*>& all() const { return kinds_; }
  void add(const Kind& kind);
  void remove(const Kind& kind) { std::erase(kinds_, &kind); }

 private:
  void sort();
  std::vector<const Kind*> kinds_;
};

/// Its specialisations are generated, one a family.
template <class Kind>
KindList<Kind>& kind_list();
template <>
KindList<JointKind>& kind_list<JointKind>();
template <>
KindList<CouplingKind>& kind_list<CouplingKind>();
template <>
KindList<ForceKind>& kind_list<ForceKind>();

/// Removes a kind that add_kind added; elements that hold it stay as they are.
template <class Kind>
void remove_kind(const Kind& kind) {
  kind_list<Kind>().remove(kind);
}

}  // namespace polhode

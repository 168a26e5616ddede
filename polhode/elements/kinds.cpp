// Lists of kinds, and kinds from outside the library.
#include <polhode/elements/kinds.hpp>

#include <algorithm>

#include <fmt/format.h>

#include <polhode/model/error.hpp>

namespace polhode {

template <class Kind>
KindList<Kind>::KindList(std::vector<const Kind*> kinds) : kinds_(std::move(kinds)) {
  sort();
}

template <class Kind>
void KindList<Kind>::sort() {
  std::stable_sort(kinds_.begin(), kinds_.end(), [](const Kind* a, const Kind* b) { return a->order < b->order; });
}

template <class Kind>
void KindList<Kind>::add(const Kind& kind) {
  for (const Kind* one : kinds_) {
    if (one == &kind) return;
    if (one->word == kind.word) throw ModelError(fmt::format("there is a kind \"{}\" already", kind.word));
  }
  kinds_.push_back(&kind);
  sort();
}

template class KindList<JointKind>;
template class KindList<CouplingKind>;
template class KindList<ForceKind>;

const std::vector<const JointKind*>& joint_kinds() { return kind_list<JointKind>().all(); }
const std::vector<const CouplingKind*>& coupling_kinds() { return kind_list<CouplingKind>().all(); }
const std::vector<const ForceKind*>& force_kinds() { return kind_list<ForceKind>().all(); }

void add_kind(const JointKind& kind) { kind_list<JointKind>().add(kind); }
void add_kind(const CouplingKind& kind) { kind_list<CouplingKind>().add(kind); }
void add_kind(const ForceKind& kind) { kind_list<ForceKind>().add(kind); }

}  // namespace polhode

#include <polhode/solve/block_matrix.hpp>

#include <limits>
#include <stdexcept>

#include <polhode/solve/huge_pages.hpp>

namespace polhode {

BlockMatrix::BlockMatrix(const BlockPattern& pattern) : made_(pattern.groups.size()) {
  offsets_.push_back(0);
  for (const auto& group : pattern.groups) {
    sizes_.push_back(group.size);
    offsets_.push_back(offsets_.back() + group.size);
  }
  std::vector<int> count(groups(), 1);  // blocks of each row, so that its list is made once
  for (int i = 0; i < groups(); ++i)
    for (int j : pattern.groups[i].tied) ++count[i], ++count[j];
  for (const auto& [i, j] : pattern.links) ++count[i], ++count[j];
  for (int i = 0; i < groups(); ++i) made_[i].reserve(count[i]);
  for (int i = 0; i < groups(); ++i)
    if (!pattern.groups[i].bound) slot(i, i);
  for (int i = 0; i < groups(); ++i)
    for (int j : pattern.groups[i].tied) {
      slot(i, j);
      slot(j, i);
    }
  first_of_rest_ = used_;
  for (int i = 0; i < groups(); ++i) slot(i, i);
  for (const auto& [i, j] : pattern.links) {
    slot(i, j);
    slot(j, i);
  }
}

Slot BlockMatrix::find(int i, int j) const {
  for (const Block& block : row(i))
    if (block.column == j) return block.slot;
  return -1;
}

Slot BlockMatrix::slot(int i, int j) {
  const Slot found = find(i, j);
  if (found >= 0) return found;
  if (used_ > std::numeric_limits<Slot>::max())
    throw std::length_error(
        "the linear equations of a step have more than 2^31 numbers: the model is too large, or has too many loops, "
        "for one matrix");
  const auto made = static_cast<Slot>(used_);
  made_[i].push_back({j, made});
  used_ += static_cast<std::int64_t>(sizes_[i]) * sizes_[j];
  return made;
}

void BlockMatrix::set_zero(std::int64_t from, const Division& division) {
  double* const first = values_.data() + from;
  const std::int64_t n = static_cast<std::int64_t>(values_.size()) - from;
  if (division.parts == 1) {  // without the divisions of begin(): a single body would feel them
    std::fill(first, first + n, 0.0);
    return;
  }
  division.run(division.parts,
               [&](int p) { std::fill(first + division.begin(n, p), first + division.begin(n, p + 1), 0.0); });
}

void BlockMatrix::allocate() {
  std::size_t count = 0;
  for (const auto& row : made_) count += row.size();
  blocks_.reserve(count);
  first_.reserve(made_.size() + 1);
  for (auto& row : made_) {
    first_.push_back(blocks_.size());
    blocks_.insert(blocks_.end(), row.begin(), row.end());
    std::vector<Block>().swap(row);
  }
  first_.push_back(blocks_.size());
  std::vector<std::vector<Block>>().swap(made_);
  reserve_huge(values_, static_cast<std::size_t>(used_));
  values_.assign(static_cast<std::size_t>(used_), 0.0);
}

}  // namespace polhode

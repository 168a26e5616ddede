#include <polhode/solve/block_matrix.hpp>

namespace polhode {

BlockMatrix::BlockMatrix(const BlockPattern& pattern) : blocks_(pattern.groups.size()) {
  offsets_.push_back(0);
  for (const auto& group : pattern.groups) {
    sizes_.push_back(group.size);
    offsets_.push_back(offsets_.back() + group.size);
  }
  std::vector<int> count(groups(), 1);  // blocks of each row, so that its list is made once
  for (int i = 0; i < groups(); ++i)
    for (int j : pattern.groups[i].tied) ++count[i], ++count[j];
  for (const auto& [i, j] : pattern.links) ++count[i], ++count[j];
  for (int i = 0; i < groups(); ++i) blocks_[i].reserve(count[i]);
  for (int i = 0; i < groups(); ++i) {
    slot(i, i);
    for (int j : pattern.groups[i].tied) {
      slot(i, j);
      slot(j, i);
    }
  }
  for (const auto& [i, j] : pattern.links) {
    slot(i, j);
    slot(j, i);
  }
}

std::int64_t BlockMatrix::find(int i, int j) const {
  for (const auto& [column, slot] : blocks_[i])
    if (column == j) return slot;
  return -1;
}

std::int64_t BlockMatrix::slot(int i, int j) {
  const std::int64_t found = find(i, j);
  if (found >= 0) return found;
  const std::int64_t made = used_;
  blocks_[i].emplace_back(j, made);
  used_ += static_cast<std::int64_t>(sizes_[i]) * sizes_[j];
  return made;
}

}  // namespace polhode

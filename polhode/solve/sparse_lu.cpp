#include <polhode/solve/sparse_lu.hpp>

#include <klu.h>

#include <algorithm>
#include <cmath>

namespace polhode {

struct SparseLU::Data {
  klu_common common{};
  klu_symbolic* symbolic = nullptr;
  klu_numeric* numeric = nullptr;
  std::vector<int> starts, rows;  ///< compressed columns
  std::vector<double> values;

  Data() {
    klu_defaults(&common);
    // true partial pivoting: the default accepts a pivot 1000 times smaller than the largest and loses digits
    common.tol = 1;
  }
  ~Data() { clear(); }
  Data(const Data&) = delete;
  Data& operator=(const Data&) = delete;
  void clear() {
    if (numeric) klu_free_numeric(&numeric, &common);
    if (symbolic) klu_free_symbolic(&symbolic, &common);
  }
};

SparseLU::SparseLU() : data_(std::make_unique<Data>()) {}
SparseLU::~SparseLU() = default;
SparseLU::SparseLU(SparseLU&&) noexcept = default;
SparseLU& SparseLU::operator=(SparseLU&&) noexcept = default;

bool SparseLU::factor(const BlockMatrix& matrix, std::span<const int> regularised, double regularisation) {
  auto& d = *data_;
  d.clear();
  const int n = matrix.rows();
  struct Entry {
    int column, row;
    double value;
  };
  std::vector<Entry> entries;
  matrix.for_each_block([&](int i, int j, Slot slot) {
    const double* a = matrix.values().data() + slot;
    for (int c = 0; c < matrix.size(j); ++c)
      for (int r = 0; r < matrix.size(i); ++r, ++a)
        if (*a != 0) entries.push_back({matrix.offset(j) + c, matrix.offset(i) + r, *a});
  });
  for (int group : regularised)
    for (int k = 0; k < matrix.size(group); ++k)
      entries.push_back({matrix.offset(group) + k, matrix.offset(group) + k, -regularisation});
  std::sort(entries.begin(), entries.end(),
            [](const Entry& a, const Entry& b) { return std::pair(a.column, a.row) < std::pair(b.column, b.row); });
  d.starts.assign(n + 1, 0);
  d.rows.clear();
  d.values.clear();
  int last_column = -1, last_row = -1;
  for (const Entry& e : entries) {
    if (e.column == last_column && e.row == last_row) {
      d.values.back() += e.value;
      continue;
    }
    last_column = e.column;
    last_row = e.row;
    d.rows.push_back(e.row);
    d.values.push_back(e.value);
    ++d.starts[e.column + 1];
  }
  for (int j = 0; j < n; ++j) d.starts[j + 1] += d.starts[j];
  d.symbolic = klu_analyze(n, d.starts.data(), d.rows.data(), &d.common);
  if (!d.symbolic) return false;
  d.numeric = klu_factor(d.starts.data(), d.rows.data(), d.values.data(), d.symbolic, &d.common);
  return d.numeric != nullptr && d.common.status == KLU_OK;
}

void SparseLU::solve(Eigen::Ref<VecX> b) const {
  klu_solve(data_->symbolic, data_->numeric, static_cast<int>(b.size()), 1, b.data(), &data_->common);
}

}  // namespace polhode

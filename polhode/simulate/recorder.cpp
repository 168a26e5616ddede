#include <polhode/simulate/recorder.hpp>

#include <stdexcept>

namespace polhode {

MemoryRecorder::MemoryRecorder(ResultLayout layout) : layout_(std::move(layout)) {
  for (const Field& field : result_fields()) {
    widths_.push_back(field.width(layout_));
    columns_.push_back(std::make_shared<std::vector<double>>());
    columns_.back()->reserve(layout_.samples * widths_.back());
  }
}

MemoryRecorder::MemoryRecorder(ResultLayout layout, std::size_t samples, std::vector<std::vector<double>>&& columns)
    : layout_(std::move(layout)), samples_(samples) {
  for (const Field& field : result_fields()) widths_.push_back(field.width(layout_));
  for (auto& numbers : columns) columns_.push_back(std::make_shared<std::vector<double>>(std::move(numbers)));
}

void MemoryRecorder::record(const Sample& sample) {
  const auto& fields = result_fields();
  for (std::size_t k = 0; k < fields.size(); ++k) {
    Column& column = columns_[k];
    const std::size_t wanted = column->size() + widths_[k];
    if (wanted > column->capacity()) {  // somebody may look at the old numbers: they stay where they are
      auto larger = std::make_shared<std::vector<double>>();
      larger->reserve(2 * wanted);
      *larger = *column;
      column = std::move(larger);
    }
    fields[k].put(sample, *column);
  }
  ++samples_;
}

std::span<const double> MemoryRecorder::row(std::size_t field, std::size_t sample) const {
  return std::span<const double>(*columns_[field]).subspan(sample * widths_[field], widths_[field]);
}

std::span<const double> MemoryRecorder::operator[](const std::string& dataset) const {
  const auto& fields = result_fields();
  for (std::size_t k = 0; k < fields.size(); ++k)
    if (fields[k].dataset == dataset) return *columns_[k];
  throw std::out_of_range("a result has no \"" + dataset + "\"");
}

}  // namespace polhode

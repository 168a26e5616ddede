// --channels of a table: said to be wrong before anything is computed or written.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <polhode/describe/words.hpp>
#include <polhode/io/csv.hpp>
#include <polhode/model/error.hpp>

namespace polhode {

inline void check_channels(const std::vector<std::string>& channels, const ResultLayout& layout) {
  const auto columns = csv_columns(layout);
  for (const std::string& channel : channels)
    if (std::none_of(columns.begin(), columns.end(),
                     [&](const std::string& column) { return column == channel || column.starts_with(channel + "."); }))
      throw ModelError(fmt::format("--channels {}: there is no such channel; without --channels the table has all{}",
                                   channel, did_you_mean(channel, columns)));
}

}  // namespace polhode

// The papers that can be reproduced, a line each.
#include <polhode/papers/report.hpp>

namespace polhode::papers {

const std::vector<Paper>& all() {
  static const std::vector<Paper> papers{
  };
  return papers;
}

}  // namespace polhode::papers

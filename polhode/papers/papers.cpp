// The papers that can be reproduced, a line each.
#include <polhode/papers/bruls_cardona.hpp>
#include <polhode/papers/lens_cardona.hpp>
#include <polhode/papers/report.hpp>

namespace polhode::papers {

const std::vector<Paper>& all() {
  static const std::vector<Paper> papers{
      {"bruls-cardona", "Lie group generalized-alpha: Brüls & Cardona (2010)", bruls_cardona::page},
      {"lens-cardona", "Energy preserving and decaying schemes: Lens & Cardona (2007)", lens_cardona::page},
  };
  return papers;
}

}  // namespace polhode::papers

// The papers that can be reproduced, a line each.
#include <polhode/papers/bruls_cardona.hpp>
#include <polhode/papers/geradin.hpp>
#include <polhode/papers/hulbert.hpp>
#include <polhode/papers/lens_cardona.hpp>
#include <polhode/papers/nielsen_krenk.hpp>
#include <polhode/papers/report.hpp>

namespace polhode::papers {

const std::vector<Paper>& all() {
  static const std::vector<Paper> papers{
      {"geradin", "Energy conserving midpoint rule with half rotations: Géradin (mid-1990s)", geradin::page},
      {"bruls-cardona", "Lie group generalized-alpha: Brüls & Cardona (2010)", bruls_cardona::page},
      {"hulbert", "Explicit momentum conserving algorithms: Hulbert (1992)", hulbert::page},
      {"nielsen-krenk", "Directors with implicit constraints: Nielsen & Krenk (2013)", nielsen_krenk::page},
      {"lens-cardona", "Energy preserving and decaying schemes: Lens & Cardona (2007)", lens_cardona::page},
  };
  return papers;
}

}  // namespace polhode::papers

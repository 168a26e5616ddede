// Where the rate of a function of time jumps, and the rate on either side.
#pragma once

#include <polhode/model/function.hpp>

namespace polhode {

/// On which side of a break: of the piece that ends there, or of the one that begins there.
enum class Limit { left, right };

/// f'(t); a time within rounding of a break counts as the break.
double rate(const Function& f, double t, Limit limit);

/// f''(t), likewise.
double second_rate(const Function& f, double t, Limit limit);

/// The rate at the end of a step. A run begins at t = 0, whatever f was before.
inline double rate_at_end(const Function& f, double t) { return rate(f, t, t > 0 ? Limit::left : Limit::right); }

/// Whether two times differ by no more than rounding.
bool same_time(double a, double b);

/// The times after 0 at which f' jumps, in order.
std::vector<double> kinks(const Function& f);

}  // namespace polhode

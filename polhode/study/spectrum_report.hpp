// Spectra as people and programs read them: a table, CSV, JSON, figures.
#pragma once

#include <polhode/io/figure.hpp>
#include <polhode/study/spectrum.hpp>

namespace polhode {

/// A row a method, a column a step; a block each for radius, period error and damping. Then the notes.
std::string to_table(const std::vector<Spectrum>& spectra);

/// integrator,h_over_t,spectral_radius,period_error,damping_ratio; nothing where there is no number.
std::string to_csv(const std::vector<Spectrum>& spectra);

/// [{"integrator", "points": [{"h_over_t", "spectral_radius", "period_error", "damping_ratio", "roots"}], "note"}]
std::string to_json(const std::vector<Spectrum>& spectra);

/// Three panels over h/T. Methods that do the same on the oscillator share a curve.
std::vector<Figure> figures(const std::vector<Spectrum>& spectra);

}  // namespace polhode

// A law tells its strains and stresses; the kind of its force makes numbers with names of them.
#include <polhode/system/outputs.hpp>

#include <algorithm>

namespace polhode {

std::vector<OutputPlace> output_places(const Model& model, const ElementSet& elements) {
  std::vector<std::pair<int, OutputPlace>> found;
  elements.for_each_law([&](const LawArray& laws, int k) {
    const int index = laws.properties(k).force;
    if (index < 0) return;
    const Force& force = model.forces[static_cast<std::size_t>(index)];
    if (const OutputKind* kind = force.kind().output) found.push_back({index, {force.name(), kind, &laws, k}});
  });
  std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<OutputPlace> out;
  for (auto& [index, place] : found) out.push_back(std::move(place));
  return out;
}

void append_outputs(const std::vector<OutputPlace>& outputs, const Stage& point, const System& system,
                    std::vector<double>& numbers) {
  for (const OutputPlace& one : outputs) one.kind->append(one.laws->output(one.place, point, system), numbers);
}

}  // namespace polhode

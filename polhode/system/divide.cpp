// Divides the work on a large system: nodes into parts along its tree, elements into tasks.
#include <algorithm>
#include <array>
#include <map>

#include <polhode/system/system.hpp>

namespace polhode {
namespace {

/// Who is tied to whom, and who to the ground.
struct Ties {
  std::vector<std::vector<int>> neighbours;
  std::vector<char> grounded;

  explicit Ties(const System& system) : neighbours(system.nodes.size()), grounded(system.nodes.size(), 0) {
    for (const ConstraintBlock& block : system.blocks)
      for (std::size_t k = 0; k < block.nodes.size(); ++k) {
        if (block.to_ground) grounded[block.nodes[k]] = 1;
        if (k > 0) tie(block.nodes[k - 1], block.nodes[k]);
      }
    system.elements.for_each_law([&](const LawArray& laws, int k) {
      const int a = laws.element(k).pair.a.node, b = laws.element(k).pair.b.node;
      if (a == system.ground() && b < a) grounded[b] = 1;
      if (b == system.ground() && a < b) grounded[a] = 1;
      if (a < system.ground() && b < system.ground() && a != b) tie(a, b);
    });
  }
  void tie(int i, int j) {
    neighbours[i].push_back(j);
    neighbours[j].push_back(i);
  }
};

/// The nodes in an order in which a tree of shortest paths to the ground is climbed, each subtree contiguous and
/// parents before children: parts along it are then a few subtrees each, and little is tied across; and what is
/// eliminated first, at the ends of the branches, comes last and is still in the cache.
std::vector<int> climb(const Ties& ties) {
  const int n = static_cast<int>(ties.neighbours.size());
  std::vector<std::vector<int>> children(n);
  std::vector<char> seen(n, 0);
  std::vector<int> front, roots;
  const auto spread = [&] {
    for (std::size_t k = 0; k < front.size(); ++k)
      for (int j : ties.neighbours[front[k]])
        if (!seen[j]) {
          seen[j] = 1;
          children[front[k]].push_back(j);
          front.push_back(j);
        }
    front.clear();
  };
  const auto start_at = [&](int i) {
    seen[i] = 1;
    roots.push_back(i);
    front.push_back(i);
  };
  for (int i = 0; i < n; ++i)
    if (ties.grounded[i]) start_at(i);
  spread();
  for (int i = 0; i < n; ++i)
    if (!seen[i]) {
      start_at(i);
      spread();
    }
  std::vector<int> order, path;
  order.reserve(n);
  for (int root : roots)
    for (path.push_back(root); !path.empty();) {
      const int i = path.back();
      path.pop_back();
      order.push_back(i);
      path.insert(path.end(), children[i].rbegin(), children[i].rend());
    }
  return order;
}

/// The two parts that something is in, equal if it is one, and the last of its nodes in the order of all; or `many`.
struct Place {
  int p = -1, q = -1, last = -1;
  bool many = false;
  void add(int node, int part) {
    last = std::max(last, node);
    if (p < 0)
      p = q = part;
    else if (part != p && q == p)
      q = part;
    else if (part != p && part != q)
      many = true;
  }
};

/// The round in which each pair of parts has its turn, in every round each part once: rounds of a tournament.
int round_of(int p, int q, int parts) {
  const int players = parts + parts % 2, last = players - 1;
  if (p == last || q == last) return 2 * (p == last ? q : p) % last;
  return (p + q) % last;
}

constexpr int least_of_round = 128;  ///< elements that are worth a phase
/// their numbers, and those of their elements, fit into a cache of some hundred KiB
constexpr int nodes_of_task = 128;

/// Makes the tasks of a set.
class Divider {
 public:
  Divider(const System& system, ElementSet& set)
      : system_(system), set_(set), tasks_(set.tasks), parts_(system.parts) {}

  void run() {
    tasks_ = {};
    if (parts_ < 2) return;
    divide_nodes();
    place_elements();
    make_phases();
    for (std::size_t k = 0; k < set_.rows.size(); ++k) set_.rows[k]->tasks = list(rows_[k]);
    for (std::size_t k = 0; k < set_.laws.size(); ++k) set_.laws[k]->tasks = list(laws_[k]);
  }

 private:
  using Parts = std::pair<int, int>;

  /// Nodes into parts of equal size along the tree, and these into tasks of the first phase.
  void divide_nodes() {
    const int n = system_.node_count();
    tasks_.nodes = climb(Ties(system_));
    position_.resize(n), part_.resize(n), task_at_.resize(n);
    for (int k = 0; k < n; ++k) position_[tasks_.nodes[k]] = k;
    for (int p = 0; p < parts_; ++p) {
      const int begin = static_cast<int>(system_.division().begin(n, p)),
                end = static_cast<int>(system_.division().begin(n, p + 1));
      tasks_.lines.push_back(static_cast<int>(tasks_.first_node.size()));
      for (int k = begin; k < end; ++k) {
        if ((k - begin) % nodes_of_task == 0) tasks_.first_node.push_back(k);
        task_at_[k] = static_cast<int>(tasks_.first_node.size()) - 1;
        part_[k] = p;
      }
    }
    task_count_ = static_cast<int>(tasks_.first_node.size());
    tasks_.first_node.push_back(n);
  }

  Place place_of(std::span<const int> nodes) const {
    Place place;
    for (int i : nodes)
      if (i < system_.ground()) place.add(position_[i], part_[position_[i]]);
    return place;
  }

  void place_elements() {
    std::vector<Place> of_block;  // elements of a block go together: they may add to the same row
    for (const ConstraintBlock& block : system_.blocks) of_block.push_back(place_of(block.nodes));
    for (const auto& rows : set_.rows) {
      rows_.emplace_back();
      for (int k = 0; k < rows->size(); ++k) rows_.back().push_back(of_block[rows->place(k).block]);
    }
    for (const auto& laws : set_.laws) {
      laws_.emplace_back();
      for (int k = 0; k < laws->size(); ++k) {
        laws_.back().push_back(place_of(std::array{laws->element(k).pair.a.node, laws->element(k).pair.b.node}));
        if (laws->properties(k).computed)
          laws_.back().back().many = true;  // a user callback, which may not be thread-safe
      }
    }
  }

  /// After the first phase, one for each round of a tournament of parts that has enough elements for several tasks;
  /// then the rest.
  void make_phases() {
    std::map<Parts, int> ties;  // how many elements tie each pair of parts
    for (const auto* family : {&rows_, &laws_})
      for (const std::vector<Place>& array : *family)
        for (const Place& place : array)
          if (!place.many && place.p != place.q) ++ties[std::minmax(place.p, place.q)];
    struct Round {
      int pairs = 0, elements = 0;
    };
    std::map<int, Round> rounds;
    for (const auto& [pair, elements] : ties) {
      Round& round = rounds[round_of(pair.first, pair.second, parts_)];
      ++round.pairs;
      round.elements += elements;
    }
    tasks_.phases = {0, parts_};
    for (const auto& [number, round] : rounds) {
      if (round.pairs < 2 || round.elements < least_of_round) continue;
      for (const auto& [pair, elements] : ties)
        if (round_of(pair.first, pair.second, parts_) == number) task_of_pair_[pair] = add_task();
      tasks_.phases.push_back(static_cast<int>(tasks_.lines.size()));
    }
    rest_ = add_task();
    tasks_.phases.push_back(static_cast<int>(tasks_.lines.size()));
    tasks_.lines.push_back(task_count_);
  }

  /// In a line of its own.
  int add_task() {
    tasks_.lines.push_back(task_count_);
    return task_count_++;
  }

  int task_of(const Place& place) const {
    if (place.many || place.p < 0) return rest_;
    if (place.p == place.q) return task_at_[place.last];
    const auto found = task_of_pair_.find(std::minmax(place.p, place.q));
    return found == task_of_pair_.end() ? rest_ : found->second;
  }

  /// The elements of an array, sorted by their tasks.
  ElementTasks::List list(const std::vector<Place>& places) const {
    ElementTasks::List list{std::vector<int>(places.size()), std::vector<int>(rest_ + 2, 0)};
    std::vector<int> task;
    for (const Place& place : places) {
      task.push_back(task_of(place));
      ++list.first[task.back() + 1];
    }
    for (int t = 0; t <= rest_; ++t) list.first[t + 1] += list.first[t];
    std::vector<int> next = list.first;
    for (std::size_t k = 0; k < task.size(); ++k) list.order[next[task[k]]++] = static_cast<int>(k);
    return list;
  }

  const System& system_;
  ElementSet& set_;
  ElementTasks& tasks_;
  const int parts_;
  std::vector<int> position_, part_, task_at_;   ///< of each node in the order of all; part and task of each position
  std::vector<std::vector<Place>> rows_, laws_;  ///< of the elements of each array
  std::map<Parts, int> task_of_pair_;
  int task_count_ = 0, rest_ = 0;  ///< rest: the last task
};

}  // namespace

void System::divide(int number_of_parts) {
  parts = number_of_parts;
  elements.divide(*this);
}

void ElementSet::divide(const System& system) { Divider(system, *this).run(); }

}  // namespace polhode

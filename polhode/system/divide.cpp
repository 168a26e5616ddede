// Divides the work on a large system: nodes into parts along its tree, elements into tasks.
#include <algorithm>
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
    for_each_element(system.elastic, [&](const auto& e) {
      const int a = e.pair.a.node, b = e.pair.b.node;
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

/// The nodes in an order in which a tree of shortest paths to the ground is climbed, each subtree contiguous and parents before children:
/// parts along it are then a few subtrees each, and little is tied across; and what is eliminated first, at the ends of the branches,
/// comes last and is still in the cache.
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
    if (p < 0) p = q = part;
    else if (part != p && q == p) q = part;
    else if (part != p && part != q) many = true;
  }
};

/// The round in which each pair of parts has its turn, in every round each part once: rounds of a tournament.
int round_of(int p, int q, int parts) {
  const int players = parts + parts % 2, last = players - 1;
  if (p == last || q == last) return 2 * (p == last ? q : p) % last;
  return (p + q) % last;
}

constexpr int least_of_round = 128;  ///< elements that are worth a phase
constexpr int nodes_of_task = 128;   ///< their numbers, and those of their elements, fit into a cache of some hundred KiB

}  // namespace

void System::divide(int number_of_parts) {
  parts = number_of_parts;
  tasks = {};
  if (parts < 2) return;
  tasks.nodes = climb(Ties(*this));
  std::vector<int> position(nodes.size()), task_at(nodes.size());  // of each node in this order; the task of each position
  for (int k = 0; k < node_count(); ++k) position[tasks.nodes[k]] = k;
  std::vector<int> part(nodes.size());  // of each position
  for (int p = 0; p < parts; ++p) {
    const int begin = static_cast<int>(division().begin(node_count(), p)), end = static_cast<int>(division().begin(node_count(), p + 1));
    tasks.lines.push_back(static_cast<int>(tasks.first_node.size()));
    for (int k = begin; k < end; ++k) {
      if ((k - begin) % nodes_of_task == 0) tasks.first_node.push_back(k);
      task_at[k] = static_cast<int>(tasks.first_node.size()) - 1;
      part[k] = p;
    }
  }
  int task_count = static_cast<int>(tasks.first_node.size());
  tasks.first_node.push_back(node_count());
  const auto place_of = [&](std::span<const int> own) {
    Place place;
    for (int i : own)
      if (i < ground()) place.add(position[i], part[position[i]]);
    return place;
  };
  std::vector<Place> place_of_block;
  for (const ConstraintBlock& block : blocks) place_of_block.push_back(place_of(block.nodes));
  // elements of a block go together: they may add to the same row
  const auto of_rows = [&](const auto& e) { return place_of_block[e.place.block]; };
  const auto of_elastic = [&](const auto& e) {
    Place place = place_of(std::array{e.pair.a.node, e.pair.b.node});
    if (e.load || e.potential) place.many = true;  // a user callback, which may not be thread-safe
    return place;
  };

  // how many elements tie each pair of parts, and which rounds have enough of them for several tasks
  std::map<std::pair<int, int>, int> ties;
  const auto count = [&](const Place& place) {
    if (!place.many && place.p != place.q) ++ties[std::minmax(place.p, place.q)];
  };
  for_each_element(joints, [&](const auto& e) { count(of_rows(e)); });
  for_each_element(coordinate_rows, [&](const auto& e) { count(of_rows(e)); });
  for_each_element(elastic, [&](const auto& e) { count(of_elastic(e)); });
  std::map<int, std::pair<int, int>> rounds;  // pairs, elements
  for (const auto& [pair, elements] : ties) {
    auto& [pairs, sum] = rounds[round_of(pair.first, pair.second, parts)];
    ++pairs;
    sum += elements;
  }
  tasks.phases = {0, parts};
  std::map<std::pair<int, int>, int> task_of_pair;
  const auto add_task = [&] {  // in a line of its own
    tasks.lines.push_back(task_count);
    return task_count++;
  };
  for (const auto& [round, size] : rounds) {
    if (size.first < 2 || size.second < least_of_round) continue;
    for (const auto& [pair, elements] : ties)
      if (round_of(pair.first, pair.second, parts) == round) task_of_pair[pair] = add_task();
    tasks.phases.push_back(static_cast<int>(tasks.lines.size()));
  }
  const int rest = add_task();
  tasks.phases.push_back(static_cast<int>(tasks.lines.size()));
  tasks.lines.push_back(task_count);
  const auto task_of = [&](const Place& place) {
    if (place.many || place.p < 0) return rest;
    if (place.p == place.q) return task_at[place.last];
    const auto found = task_of_pair.find(std::minmax(place.p, place.q));
    return found == task_of_pair.end() ? rest : found->second;
  };
  const auto lists_of = [&](const auto& arrays, const auto& place) {
    std::vector<ElementTasks::List> lists;
    const auto add = [&](const auto& array) {
      std::vector<int> task;
      ElementTasks::List list{std::vector<int>(array.size()), std::vector<int>(rest + 2, 0)};
      for (const auto& e : array) {
        task.push_back(task_of(place(e)));
        ++list.first[task.back() + 1];
      }
      for (int t = 0; t <= rest; ++t) list.first[t + 1] += list.first[t];
      std::vector<int> next = list.first;
      for (std::size_t k = 0; k < task.size(); ++k) list.order[next[task[k]]++] = static_cast<int>(k);
      lists.push_back(std::move(list));
    };
    std::apply([&](const auto&... array) { (add(array), ...); }, arrays);
    return lists;
  };
  tasks.joints = lists_of(joints, of_rows);
  tasks.coordinate_rows = lists_of(coordinate_rows, of_rows);
  tasks.elastic = lists_of(elastic, of_elastic);
}

}  // namespace polhode

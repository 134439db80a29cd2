#include "Testing/Core/Multilevel/P4est.hpp"
#include "Testing/Rooms.hpp"

#include <p4est.h>
#include <p4est_extended.h>
#include <p8est.h>
#include <p8est_extended.h>

#include <cmath>

namespace spanwise::testing {

namespace {

/// The names of p4est and p8est.
template <int Dim>
struct Api;

template <>
struct Api<2> {
  using Forest = p4est_t;
  using Quadrant = p4est_quadrant_t;
  using Tree = p4est_tree_t;
  using Brick = p4est_connectivity_t;
  static constexpr int maxLevel = P4EST_MAXLEVEL;
  static Brick* brick(const Cell<2>& trees) { return p4est_connectivity_new_brick(trees.at[0], trees.at[1], 0, 0); }
  static void destroy(Brick* brick) { p4est_connectivity_destroy(brick); }
  static Forest* forest(Brick* brick, void* user) {
    return p4est_new_ext(sc_MPI_COMM_WORLD, brick, 0, 0, 1, 0, nullptr, user);
  }
  static void destroy(Forest* forest) { p4est_destroy(forest); }
  static void refine(Forest* forest, p4est_refine_t rule) { p4est_refine(forest, 1, rule, nullptr); }
  static void balance(Forest* forest, Connectivity connectivity) {
    p4est_balance(forest, connectivity == Connectivity::Face ? P4EST_CONNECT_FACE : P4EST_CONNECT_FULL, nullptr);
  }
  static Cell<2> at(const Quadrant& q) { return {{q.x, q.y}}; }
};

template <>
struct Api<3> {
  using Forest = p8est_t;
  using Quadrant = p8est_quadrant_t;
  using Tree = p8est_tree_t;
  using Brick = p8est_connectivity_t;
  static constexpr int maxLevel = P8EST_MAXLEVEL;
  static Brick* brick(const Cell<3>& trees) {
    return p8est_connectivity_new_brick(trees.at[0], trees.at[1], trees.at[2], 0, 0, 0);
  }
  static void destroy(Brick* brick) { p8est_connectivity_destroy(brick); }
  static Forest* forest(Brick* brick, void* user) {
    return p8est_new_ext(sc_MPI_COMM_WORLD, brick, 0, 0, 1, 0, nullptr, user);
  }
  static void destroy(Forest* forest) { p8est_destroy(forest); }
  static void refine(Forest* forest, p8est_refine_t rule) { p8est_refine(forest, 1, rule, nullptr); }
  static void balance(Forest* forest, Connectivity connectivity) {
    p8est_balance(forest,
      connectivity == Connectivity::Face     ? P8EST_CONNECT_FACE
        : connectivity == Connectivity::Edge ? P8EST_CONNECT_EDGE
                                             : P8EST_CONNECT_FULL,
      nullptr);
  }
  static Cell<3> at(const Quadrant& q) { return {{q.x, q.y, q.z}}; }
};

/// The cell of a level that a quadrant of a tree is. A brick's trees are unit cubes at the positions of their vertices.
template <int Dim>
Cell<Dim> cellOf(const typename Api<Dim>::Brick& brick, p4est_topidx_t tree, const typename Api<Dim>::Quadrant& q) {
  const double* const corner = brick.vertices + 3 * brick.tree_to_vertex[(1 << Dim) * tree];
  Cell<Dim> cell = Api<Dim>::at(q);
  for (int d = 0; d < Dim; ++d) {
    cell.at[d] =
      (cell.at[d] >> (Api<Dim>::maxLevel - q.level)) + (static_cast<Coordinate>(std::lround(corner[d])) << q.level);
  }
  return cell;
}

template <int Dim>
struct User {
  RefineRule<Dim> rule;
  int depth;
};

template <int Dim>
int refines(typename Api<Dim>::Forest* forest, p4est_topidx_t tree, typename Api<Dim>::Quadrant* q) {
  const auto& user = *static_cast<const User<Dim>*>(forest->user_pointer);
  return static_cast<int>(q->level < user.depth && user.rule(q->level, cellOf<Dim>(*forest->connectivity, tree, *q)));
}

/// p4est wants MPI and its own library started, once.
void start() {
  static const bool started = [] {
    sc_MPI_Init(nullptr, nullptr);
    sc_init(sc_MPI_COMM_WORLD, 0, 0, nullptr, SC_LP_ERROR);
    p4est_init(nullptr, SC_LP_ERROR);
    std::atexit([] { sc_MPI_Finalize(); });
    return true;
  }();
  static_cast<void>(started);
}

} // namespace

template <int Dim>
std::vector<CellList<Dim>> leavesOfP4est(
  const Cell<Dim>& trees, const RefineRule<Dim>& rule, int depth, Connectivity connectivity) {
  start();
  User<Dim> user{rule, depth};
  auto* const brick = Api<Dim>::brick(trees);
  auto* const forest = Api<Dim>::forest(brick, &user);
  Api<Dim>::refine(forest, refines<Dim>);
  Api<Dim>::balance(forest, connectivity);
  std::vector<CellList<Dim>> leaves;
  for (p4est_topidx_t t = forest->first_local_tree; t <= forest->last_local_tree; ++t) {
    const sc_array_t& quadrants = reinterpret_cast<typename Api<Dim>::Tree*>(forest->trees->array)[t].quadrants;
    const auto* const first = reinterpret_cast<const typename Api<Dim>::Quadrant*>(quadrants.array);
    for (std::size_t k = 0; k < quadrants.elem_count; ++k) {
      const auto level = static_cast<std::size_t>(first[k].level);
      leaves.resize(std::max(leaves.size(), level + 1));
      leaves[level].insert(cellOf<Dim>(*brick, t, first[k]));
    }
  }
  Api<Dim>::destroy(forest);
  Api<Dim>::destroy(brick);
  return leaves;
}

template std::vector<CellList<2>> leavesOfP4est(const Cell<2>&, const RefineRule<2>&, int, Connectivity);
template std::vector<CellList<3>> leavesOfP4est(const Cell<3>&, const RefineRule<3>&, int, Connectivity);

} // namespace spanwise::testing

#pragma once

#include "Core/Field/Arithmetic.hpp"
#include "Core/Field/ForEachCell.hpp"
#include "Core/Field/HaloLayout.hpp"
#include "Core/Geometry/Algebra.hpp"
#include "Core/Geometry/CommonCells.hpp"
#include "Core/Geometry/Crop.hpp"
#include "Core/Geometry/Morphology.hpp"
#include "Core/Geometry/Slab.hpp"
#include "Core/Geometry/StructuringElement.hpp"
#include "Core/Parallel/Agree.hpp"
#include "Core/Runtime/HostCopy.hpp"
#include "Core/Solvers/Lattice/Detail/CutPlaces.hpp"
#include "Core/Solvers/Lattice/Detail/InflowProfile.hpp"
#include "Core/Solvers/Lattice/Detail/LevelJump.hpp"
#include "Core/Solvers/Lattice/Detail/PopulationKernels.hpp"
#include "Core/Solvers/Lattice/Detail/Populations.hpp"
#include "Core/Solvers/Lattice/Detail/StepKernel.hpp"
#include "Core/Solvers/Lattice/Detail/WallKernel.hpp"
#include "Core/Solvers/Lattice/Detail/WallLinks.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>
#include <vector>

namespace spanwise::lattice::detail {

/// Cells that a kernel steps: those at a side through which fluid flows, or the others; all at the rim of a rank's
/// part, or none.
template <class Set, class ExecutionSpace, class Real>
struct CellGroup {
  StreamMap<Set, typename ExecutionSpace::memory_space> map;
  StepRows<Set, typename ExecutionSpace::memory_space> rows; ///< the same, to step; not of ghost cells
  GivenAtCells<Real> given;
  Kokkos::View<Real*, typename ExecutionSpace::memory_space> velocity;
  Kokkos::View<Real*, typename ExecutionSpace::memory_space> sound;
  bool atRim;
};

template <class Set, class T, class ExecutionSpace>
class PopulationsOf final : public Populations<ExecutionSpace, Set::dimension> {
public:
  static constexpr int Dim = Set::dimension;
  using Pattern = typename Set::Pattern;
  using Memory = typename ExecutionSpace::memory_space;
  using Cells = geometry::IntervalSetOn<Dim, ExecutionSpace>;
  using Real = Arithmetic<T>;
  using Values = field::FieldOn<double, ExecutionSpace>;
  using OnSpace = Context<ExecutionSpace>;

  PopulationsOf(
    const OnSpace& context, const LatticeOptions<Dim>& options, const PopulationCells<ExecutionSpace, Dim>& cells)
    : collision_(options.collision), set_(cells.set), isInPlace_(options.update == Update::InPlace) {
    exchange_ = std::make_unique<parallel::HaloExchange<ExecutionSpace>>(context.communicator(), cells.plan);
    returns_ = std::make_unique<parallel::HaloExchange<ExecutionSpace>>(context.communicator(), reversed(cells.plan));
    const bool single = context.communicator().alone();
    makeFields(single ? field::FieldLayout<Memory>() : field::haloLayout<Memory>(cells.plan));
    setConstants(options);
    Cells owned;
    restrictRows<ExecutionSpace, Dim>(context, set_, cells.plan.ownedPlanes, owned);
    setSides(
      options, [&](int axis) { return axis != Dim - 1 || single; }); // of the cut axis the halo has the other end
    owned_ = mapOf(context, owned, &neighbours_);
    if (isInPlace_ && !single) {
      cutPlaces_.build(context.space(), cells.plan, owned_, neighbours_);
    }
    Cells inner;
    restrictRows<ExecutionSpace, Dim>(context, owned, cells.plan.innerPlanes, inner);
    Cells rim;
    combine<ExecutionSpace, Dim>(context, geometry::SetOperation::Difference, owned, inner, rim);
    addWalls(context, options, owned);
    addGroups(context, options, rim, true, groups_);
    addGroups(context, options, inner, false, groups_);
  }

  PopulationsOf(
    const OnSpace& context, const LatticeOptions<Dim>& options, const LevelCells<ExecutionSpace, Dim>& cells)
    : collision_(options.collision), set_(cells.held), leaves_(cells.leaves), parents_(cells.parents),
      ghosts_(cells.ghosts), halo_(cells.halo), isInPlace_(false), isFused_(options.refinement.isFused) {
    makeFields({});
    setConstants(options);
    setSides(options, [&](int /*axis*/) { return halo_ == nullptr; });
    owned_ = mapOf(context, cells.leaves, &neighbours_);
    addWalls(context, options, leaves_);
    const Cells innerGhosts = addGroups(context, options, ghosts_, false, ghostGroups_);
    if constexpr (!runsOnHost<ExecutionSpace>) {
      findPassed(context, innerGhosts);
    }
    addGroups(context, options, cells.leaves, false, groups_);
    if (!ghostGroups_.empty() && ghostGroups_.back().given.side < 0) {
      innerGhosts_ = std::move(ghostGroups_.back().map); // nothing is given to these
      ghostGroups_.pop_back();
    }
    if (halo_ != nullptr) {
      findGhostsAtEnds(context, options, cells.planes);
    }
  }

  void start(const OnSpace& context, const Values& moments) override {
    last_ = isInPlace_ ? Streaming::Stay : Streaming::Pull;
    field::forCells(context.space(), SPANWISE_KERNEL("lattice start"), owned_.numCells(),
      StartCells<Set, T>{owned_.lengths(), owned_.segments(), fields_[0].view().values, last_,
        fields_[0].view().cellStride, moments.view()},
      Work{owned_.numCells() * Set::count});
    findSound(context);
    fillHalo(context);
  }

  void step(const OnSpace& context, double part) override {
    SPANWISE_REGION("Lattice::step");
    const Streaming streaming =
      isInPlace_ ? (last_ == Streaming::Stay ? Streaming::PullAndPush : Streaming::Stay) : Streaming::Pull;
    const ExecutionSpace& space = context.space();
    setWalls(space, part);
    Field& to = isInPlace_ ? fields_[0] : fields_[1];
    const StepFields<T> fields{
      fields_[0].view().values, to.view().values, streaming, fields_[0].view().cellStride, numValues()};
    if (context.communicator().alone()) {
      stepGroups(space, fields, false);
    } else {
      const bool pushes = streaming == Streaming::PullAndPush;
      parallel::HaloExchange<ExecutionSpace>& exchange = pushes ? *returns_ : *exchange_;
      const ExecutionSpace boundary = exchange.boundarySpace(space);
      stepGroups(boundary, fields, true);
      if (pushes) {
        cutPlaces_.keep(boundary, fields.to);
      }
      if constexpr (runsOnHost<ExecutionSpace>) {
        exchange.start(boundary, crossing(to, pushes));
        stepGroups(space, fields, false);
      } else {
        stepGroups(space, fields, false);
        exchange.start(boundary, crossing(to, pushes));
      }
      exchange.finish(space);
      if (pushes) {
        cutPlaces_.restore(space, fields.to);
      }
    }
    if (!isInPlace_) {
      std::swap(fields_[0], fields_[1]);
    }
    last_ = streaming;
  }

  void attach(const OnSpace& context, Populations<ExecutionSpace, Dim>& coarser) override {
    coarser_ = static_cast<PopulationsOf*>(&coarser); // all levels have the same velocities and types
    field::StencilMap<Pattern, Memory> neighbours;
    StreamMap<Set, Memory> ofParents;
    StreamMap<Set, Memory> ofGhosts;
    StreamMap<Set, Memory> ofPassed;
    field::FieldOn<std::uint8_t, ExecutionSpace> kinds("cell kinds", 0);
    parallel::agree(context.communicator(), [&] {
      ofParents = coarser_->mapOf(context, coarser_->parents_, &neighbours);
      ofGhosts = mapOf(context, ghosts_);
      if (!passed_.empty()) {
        ofPassed = mapOf(context, passed_);
      }
      coarser_->findKinds(context, kinds);
    });
    if (coarser_->halo_ != nullptr) {
      coarser_->halo_->fill(context.space(), kinds);
    }
    std::vector<const StreamMap<Set, Memory>*> ofSides;
    ofSides.reserve(ghostGroups_.size());
    for (const Group& group : ghostGroups_) {
      ofSides.push_back(&group.map);
    }
    jump_.build(context,
      {coarser_->set_, set_, coarser_->parents_, ghosts_, ofParents, ofGhosts, owned_, innerGhosts_, ofPassed, ofSides,
        ghostsAtEnds_, neighbours, kinds},
      fields_, [&](Field& field) {
        if (halo_ != nullptr) {
          halo_->fill(context.space(), field);
        }
      });
  }

  void explode(const OnSpace& context) override {
    jump_.explode(context.space(), std::as_const(coarser_->fields_[0]).view(), fields_[0].view());
    fillHalo(context);
  }

  void stepLevel(
    const OnSpace& context, double part, bool ghostsStream, const Populations<ExecutionSpace, Dim>* finer) override {
    SPANWISE_REGION("Lattice::stepLevel");
    const ExecutionSpace& space = context.space();
    if (finer != nullptr) {
      finer->coalesce(context);
    }
    setWalls(space, part); // ghost cells get nothing of walls: their parents have all of it
    const StepFields<T> fields{fields_[0].view().values, fields_[1].view().values, Streaming::Pull,
      fields_[0].view().cellStride, numValues(), passed_.empty() ? nullptr : isPassed_.view().values};
    if (isFused_ || finer == nullptr) {
      stepGroups(space, fields, false);
    } else {
      streamGroups(space, fields, groups_);
      const StepFields<T> there{fields.to, fields.to, Streaming::None, fields.cellStride, fields.numValues};
      for (const Group& group : groups_) { // nothing is given to what has streamed
        stepCells<Set, T>(space, group.rows, there, collision_, constants_, {});
      }
    }
    if (ghostsStream) {
      jump_.stream(space, fields);
      streamGroups(space, fields, ghostGroups_);
    }
    std::swap(fields_[0], fields_[1]);
    fillHalo(context);
  }

  void coalesce(const OnSpace& context) const override {
    jump_.coalesce(context.space(), fields_[1].view().values, coarser_->fields_[0].view().values);
  }

  void get(const OnSpace& context, Values& out) const override {
    out.resize(owned_.numCells(), Set::count);
    move<GetNumbers<Set, T>>(context, std::as_const(fields_[0]).view().values, out.view());
  }
  void put(const OnSpace& context, const Values& from) override {
    move<PutNumbers<Set, T>>(context, fields_[0].view().values, from.view());
    findSound(context);
    fillHalo(context);
  }

  void moments(const OnSpace& context, Values& out) const override {
    out.resize(owned_.numCells(), Dim + 1);
    FindMoments<Set, T> find{owned_.lengths(), owned_.segments(), fields_[0].view().values, last_,
      fields_[0].view().cellStride, {}, out.view()};
    for (int d = 0; d < Dim; ++d) {
      find.halfForce[d] = 0.5 * static_cast<double>(constants_.force[d]);
    }
    field::forCells(
      context.space(), SPANWISE_KERNEL("moments"), owned_.numCells(), find, Work{owned_.numCells() * Set::count});
  }

  void findLinks(const OnSpace& context) override {
    const ExecutionSpace& space = context.space();
    typename Workspace<Memory>::Frame frame(context.workspace());
    const std::int64_t numCells = owned_.numCells();
    std::int64_t* const counts = frame.template array<std::int64_t>(numCells + 1).data();
    FindWallLinks<Set> find{owned_.lengths(), neighbours_.segments(), owned_.segments(), fields_[0].view().cellStride,
      {slip_}, isInPlace_, counts, nullptr};
    field::forCells(space, SPANWISE_KERNEL("count links"), numCells, find);
    const std::int64_t count = exclusiveScan(space, SPANWISE_KERNEL("scan links"), counts, numCells);
    links_ =
      typename Populations<ExecutionSpace, Dim>::Links("Spanwise::Lattice::links", static_cast<std::size_t>(count));
    find.links = links_.data();
    field::forCells(space, SPANWISE_KERNEL("fill links"), numCells, find);
    space.fence(SPANWISE_LABEL("Lattice::findLinks"));
  }
  [[nodiscard]] const typename Populations<ExecutionSpace, Dim>::Links& links() const override { return links_; }
  void useFractions() override { usesFractions_ = true; }
  WallForce<Dim> force(
    const OnSpace& context, const geometry::IntervalSetView<Dim>& cells, const double (&about)[Dim]) const override {
    SumForce<Dim, T> body{
      links_.data(), std::as_const(fields_[0]).view().values, last_ == Streaming::PullAndPush, cells, {}};
    std::copy(about, about + Dim, body.about);
    WallForce<Dim> sum;
    reduce(SPANWISE_KERNEL("force"), IndexRange<ExecutionSpace>(context.space(), 0, numLinks()), body, sum);
    return sum;
  }

  void store(const OnSpace& context, FrameWriter& to) const override {
    const std::int64_t numCells = owned_.numCells();
    typename Workspace<Memory>::Frame frame(context.workspace());
    const std::int64_t length = numCells * Set::count;
    const auto into = to.template array<T>(length);
    T* packed = into.data();
    if constexpr (!runsOnHost<ExecutionSpace>) {
      packed = frame.template array<T>(length).data();
    }
    const auto view = std::as_const(fields_[0]).view();
    field::forCells(context.space(), SPANWISE_KERNEL("store"), numCells,
      MovePopulations<Set, T, const T>{
        owned_.lengths(), owned_.segments(), view.values, last_, view.cellStride, packed});
    if constexpr (!runsOnHost<ExecutionSpace>) {
      copyToHost(context.space(), packed, length, into.data());
    }
    context.space().fence(SPANWISE_LABEL("Lattice::store")); // the next array may move this one
    for (const Group& group : groups_) {
      const auto count = static_cast<std::int64_t>(group.sound.size());
      copyToHost(context.space(), group.sound.data(), count, to.template array<Real>(count).data());
    }
  }
  void restore(const OnSpace& context, FrameReader& from) override {
    parallel::agree(context.communicator(), [&] { restoreOwn(context, from); });
    fillHalo(context);
  }

  [[nodiscard]] const field::Boundary<Dim>& boundary() const override { return boundary_; }
  [[nodiscard]] parallel::MessageReport messages() const override {
    parallel::MessageReport sum;
    if (exchange_ != nullptr) {
      sum = exchange_->report();
      sum += returns_->report();
    } else if (halo_ != nullptr && halo_->report() != nullptr) {
      sum = *halo_->report();
    }
    return sum;
  }
  [[nodiscard]] std::size_t bytes() const override {
    std::size_t sum = fields_[0].bytes() + fields_[1].bytes() + owned_.bytes() + neighbours_.bytes() + jump_.bytes() +
      isPassed_.bytes();
    for (const std::vector<Group>* const groups : {&groups_, &ghostGroups_}) {
      for (const Group& group : *groups) {
        const bool isShared = group.map.segments() == owned_.segments();
        sum += (isShared ? 0 : group.map.bytes()) + group.rows.bytes() +
          (group.velocity.span() + group.sound.span()) * sizeof(Real);
      }
    }
    return sum;
  }

private:
  using Field = field::FieldOn<T, ExecutionSpace>;

  [[nodiscard]] std::int64_t numValues() const { return static_cast<std::int64_t>(fields_[0].bytes() / sizeof(T)); }
  [[nodiscard]] std::int64_t numLinks() const { return static_cast<std::int64_t>(links_.extent(0)); }
  using Group = CellGroup<Set, ExecutionSpace, Real>;

  void makeFields(const field::FieldLayout<Memory>& layout) {
    const std::int64_t numCells = set_.numCells();
    fields_[0] = Field("populations", numCells, Set::count, layout);
    if (!isInPlace_) {
      fields_[1] = Field("populations, other", numCells, Set::count, layout);
    }
    last_ = isInPlace_ ? Streaming::Stay : Streaming::Pull;
  }

  /// Reads the populations of this rank's cells.
  void restoreOwn(const OnSpace& context, FrameReader& from) {
    const std::int64_t numCells = owned_.numCells();
    typename Workspace<Memory>::Frame frame(context.workspace());
    const std::int64_t length = numCells * Set::count;
    const T* packed = from.template array<T>(length).data();
    if constexpr (!runsOnHost<ExecutionSpace>) {
      T* const onDevice = frame.template array<T>(length).data();
      copyFromHost(context.space(), packed, length, onDevice);
      packed = onDevice;
    }
    last_ = isInPlace_ ? Streaming::Stay : Streaming::Pull;
    const auto view = fields_[0].view();
    field::forCells(context.space(), SPANWISE_KERNEL("restore"), numCells,
      MovePopulations<Set, T, T>{owned_.lengths(), owned_.segments(), view.values, last_, view.cellStride, packed});
    for (const Group& group : groups_) {
      const auto count = static_cast<std::int64_t>(group.sound.size());
      copyFromHost(context.space(), from.template array<Real>(count).data(), count, group.sound.data());
    }
    context.space().fence(SPANWISE_LABEL("Lattice::restore"));
  }

  /// Collective. Populations beside own cells, of other ranks.
  void fillHalo(const OnSpace& context) {
    if (exchange_ != nullptr) {
      exchange_->exchange(context.space(), crossing(fields_[0], false));
    } else if (halo_ != nullptr) {
      halo_->fill(context.space(), fields_[0]);
    }
  }

  /// CellKind of this rank's cells.
  void findKinds(const OnSpace& context, field::FieldOn<std::uint8_t, ExecutionSpace>& out) const {
    out.resize(set_.numCells(), 1);
    const auto mark = [&](const Cells& cells, CellKind kind) {
      geometry::CommonCells<Memory> common;
      commonCells<ExecutionSpace, Dim>(context, set_, cells, common);
      field::fill<ExecutionSpace, std::uint8_t>(context, out, static_cast<std::uint8_t>(kind), common);
    };
    field::fill<ExecutionSpace, std::uint8_t>(context, out, static_cast<std::uint8_t>(CellKind::Covered));
    mark(ghosts_, CellKind::Ghost);
    mark(leaves_, CellKind::Leaf);
  }

  template <class Body, class Values, class Numbers>
  void move(const OnSpace& context, Values* values, const Numbers& numbers) const {
    field::forCells(context.space(), SPANWISE_KERNEL("move numbers"), owned_.numCells(),
      Body{owned_.lengths(), owned_.segments(), values, fields_[0].view().cellStride, numbers},
      Work{owned_.numCells() * Set::count});
  }

  void setConstants(const LatticeOptions<Dim>& options) {
    const double time = 3.0 * options.viscosity + 0.5;
    constants_.relaxationTime = static_cast<Real>(time);
    constants_.magic = options.collision == Collision::TwoRelaxation ? static_cast<Real>(options.magic) : Real(-1);
    constants_.smagorinsky = static_cast<Real>(18.0 * std::sqrt(2.0) * options.smagorinsky * options.smagorinsky);
    constants_.plain = options.smagorinsky == 0.0;
    for (int d = 0; d < Dim; ++d) {
      constants_.force[d] = static_cast<Real>(options.force[d]);
      constants_.plain = constants_.plain && options.force[d] == 0.0;
    }
  }

  /// Populations that go to a neighbour, as they are stored: in their own places, or pushed to where they go.
  parallel::PartOfField<T> crossing(Field& field, bool pushed) const {
    const std::uint32_t up = ((std::uint32_t{1} << Set::numUp) - 1) << 1;
    const std::uint32_t down = up << Set::half;
    return {
      field.view(), isInPlace_ && !pushed ? parallel::HaloComponents{down, up} : parallel::HaloComponents{up, down}};
  }

  /// The part of its way to the given density that the density at an outflow goes in a step: less, and it is not kept;
  /// more, and sound is reflected (Poinsot and Lele 1992).
  static double backwards(const geometry::Box<Dim>& box, int axis) {
    constexpr double part = 0.58; // while sound crosses the box
    return std::min(1.0, part / (std::sqrt(3.0) * (box.end[axis] - box.begin[axis])));
  }

  void findSound(const OnSpace& context) const {
    const auto view = std::as_const(fields_[0]).view();
    for (const Group& group : groups_) {
      if (group.given.sound != nullptr) {
        field::forCells(context.space(), SPANWISE_KERNEL("find sound"), group.map.numCells(),
          FindSound<Set, T>{
            group.map.lengths(), group.map.segments(), view.values, last_, view.cellStride, group.given});
      }
    }
  }

  /// The cells of a box beside a side.
  static geometry::Box<Dim> layerOf(const geometry::Box<Dim>& box, int side) {
    geometry::Box<Dim> layer = box;
    const int axis = side / 2;
    if (side % 2 == 0) {
      layer.end[axis] = layer.begin[axis] + 1;
    } else {
      layer.begin[axis] = layer.end[axis] - 1;
    }
    return layer;
  }

  /// `inMap(axis)`: whether cells find their neighbours beyond the end of a period by themselves.
  template <class InMap>
  void setSides(const LatticeOptions<Dim>& options, const InMap& inMap) {
    boundary_.policy = field::BoundaryPolicy::Value;
    for (int side = 0; side < 2 * Dim; ++side) {
      const int axis = side / 2;
      boundary_.domain.begin[axis] = boundary_.period.begin[axis] = options.box.begin[axis];
      boundary_.domain.end[axis] = (options.repeats[axis] ? options.box.begin : options.box.end)[axis];
      boundary_.period.end[axis] = (options.repeats[axis] && inMap(axis) ? options.box.end : options.box.begin)[axis];
      if (!options.repeats[axis] && options.sides[static_cast<std::size_t>(side)].side == Side::Slip) {
        slip_.bits = static_cast<std::uint8_t>(slip_.bits | 1U << static_cast<unsigned>(side));
      }
    }
  }

  void addWalls(const OnSpace& context, const LatticeOptions<Dim>& options, const Cells& cells) {
    for (int side = 0; side < 2 * Dim; ++side) {
      const SideCondition<Dim>& is = options.sides[static_cast<std::size_t>(side)];
      const bool moves = std::any_of(is.velocity, is.velocity + Dim, [](double v) { return v != 0.0; });
      if (!options.repeats[side / 2] && is.side == Side::Wall && moves) {
        Cells layer;
        crop<ExecutionSpace, Dim>(context, cells, layerOf(options.box, side), layer);
        addWall(context, layer, side, is);
      }
    }
  }

  /// The groups of cells at sides through which fluid flows, and of the others, which are returned.
  Cells addGroups(const OnSpace& context, const LatticeOptions<Dim>& options, const Cells& cells, bool atRim,
    std::vector<Group>& groups) {
    Cells others = cells;
    for (int side = 0; side < 2 * Dim; ++side) {
      const SideCondition<Dim>& is = options.sides[static_cast<std::size_t>(side)];
      if (!options.repeats[side / 2] && (is.side == Side::Inflow || is.side == Side::Outflow)) {
        Cells layer;
        crop<ExecutionSpace, Dim>(context, others, layerOf(options.box, side), layer);
        combine<ExecutionSpace, Dim>(context, geometry::SetOperation::Difference, others, layer, others);
        GivenAtCells<Real> given;
        given.side = side;
        given.isVelocity = is.side == Side::Inflow;
        given.density = static_cast<Real>(is.density - 1.0);
        given.back = static_cast<Real>(backwards(options.box, side / 2));
        addGroup(context, options, layer, given, atRim, groups);
      }
    }
    addGroup(context, options, others, {}, atRim, groups);
    return others;
  }

  /// Finds the ghost cells, of these, beside own ones in their rows. A device steps them along, without collisions:
  /// they share pieces of memory with own cells, which are then written as a whole and but once. Other ghost cells
  /// stream by themselves, as far as they are read.
  void findPassed(const OnSpace& context, const Cells& ghosts) {
    if (!isFused_ || ghosts.empty()) {
      return;
    }
    geometry::Cell<Dim> reach{};
    reach.at[0] = 2; // children come in pairs
    Cells near;
    geometry::morph<ExecutionSpace, Dim>(
      context, geometry::MorphologyOperation::Dilate, leaves_, geometry::StructuringElement<Dim>::box(reach), near);
    combine<ExecutionSpace, Dim>(context, geometry::SetOperation::Intersection, ghosts, near, passed_);
    isPassed_ = field::FieldOn<std::uint8_t, ExecutionSpace>("cells that only stream", set_.numCells());
    geometry::CommonCells<Memory> common;
    commonCells<ExecutionSpace, Dim>(context, set_, passed_, common);
    field::fill<ExecutionSpace, std::uint8_t>(context, isPassed_, 0);
    field::fill<ExecutionSpace, std::uint8_t>(context, isPassed_, 1, common);
    context.space().fence(SPANWISE_LABEL("Lattice::findPassed"));
  }

  /// Two steps of this level read cells no farther away than two.
  void findGhostsAtEnds(
    const OnSpace& context, const LatticeOptions<Dim>& options, const parallel::PlaneRange& planes) {
    constexpr geometry::Coordinate reach = 2;
    geometry::Box<Dim> inner = geometry::inPlanes(options.box, planes);
    for (int d = 0; d < Dim; ++d) {
      if (options.repeats[d] || d == Dim - 1) {
        inner.begin[d] += reach;
        inner.end[d] = std::max(inner.begin[d], inner.end[d] - reach);
      }
    }
    Cells copied;
    crop<ExecutionSpace, Dim>(context, ghosts_, inner, copied);
    combine<ExecutionSpace, Dim>(context, geometry::SetOperation::Difference, ghosts_, copied, copied);
    ghostsAtEnds_ = mapOf(context, copied);
  }

  StreamMap<Set, Memory> mapOf(
    const OnSpace& context, const Cells& part, field::StencilMap<Pattern, Memory>* neighbours = nullptr) const {
    geometry::CommonCells<Memory> within;
    commonCells<ExecutionSpace, Dim>(context, set_, part, within);
    field::StencilMap<Pattern, Memory> found;
    field::buildStencilMap<Pattern, ExecutionSpace>(context, set_, boundary_, found, within);
    StreamMap<Set, Memory> map;
    map.build(context.space(), found, FieldView<const T>(std::as_const(fields_[0]).view()), slip_, isInPlace_);
    context.space().fence(SPANWISE_LABEL("Lattice::mapOf"));
    if (neighbours != nullptr) {
      *neighbours = found;
    }
    return map;
  }

  void addGroup(const OnSpace& context, const LatticeOptions<Dim>& options, const Cells& cells,
    const GivenAtCells<Real>& given, bool atRim, std::vector<Group>& groups) {
    const bool passes = &groups == &groups_ && given.side < 0 && !passed_.empty();
    if (cells.empty() && !passes) {
      return;
    }
    const bool isAll = &groups == &groups_ && cells.numCells() == owned_.numCells(); // then maps share their memory
    Group group{isAll ? owned_ : mapOf(context, cells), {}, given, {}, {}, atRim};
    if (&groups == &groups_) {
      StreamMap<Set, Memory> stepped = group.map;
      if (passes) {
        Cells all;
        combine<ExecutionSpace, Dim>(context, geometry::SetOperation::Union, cells, passed_, all);
        stepped = mapOf(context, all);
      }
      group.rows.build(
        context, stepped, isInPlace_, sizeof(T), cellsPerPiece<T, ExecutionSpace>(given), given.side < 0 && !passes);
    }
    if (given.isVelocity) {
      const std::int64_t count = cells.numCells();
      group.velocity = Kokkos::View<Real*, Memory>("Spanwise::Lattice::inflow", static_cast<std::size_t>(count * Dim));
      InflowProfile<Dim> profile(options, given.side);
      field::forEachCell(context.space(), SPANWISE_KERNEL("inflow"), cells,
        FillInflow<Dim, Real>{profile, group.velocity.data(), count});
      group.given.velocity = group.velocity.data();
      group.given.count = count;
    } else if (given.side >= 0 && &groups == &groups_) { // ghost cells keep the density
      group.sound = Kokkos::View<Real*, Memory>("Spanwise::Lattice::sound", static_cast<std::size_t>(cells.numCells()));
      group.given.sound = group.sound.data();
    }
    groups.push_back(std::move(group));
  }

  void addWall(const OnSpace& context, const Cells& layer, int side, const SideCondition<Dim>& is) {
    if (layer.empty()) {
      return;
    }
    Wall wall;
    wall.map = mapOf(context, layer, &wall.neighbours);
    wall.side = side;
    for (int d = 0; d < Dim; ++d) {
      wall.velocity[d] = static_cast<Real>(is.velocity[d]);
    }
    walls_.push_back(std::move(wall));
  }

  void streamGroups(const ExecutionSpace& space, const StepFields<T>& fields, const std::vector<Group>& groups) const {
    for (const Group& group : groups) {
      field::forCells(space, SPANWISE_KERNEL("stream"), group.map.numCells(),
        StreamCells<Set, T>{group.map.lengths(), group.map.segments(), fields, group.given},
        Work{group.map.numCells() * Set::count});
    }
  }

  void stepGroups(const ExecutionSpace& space, const StepFields<T>& fields, bool atRim) {
    for (const Group& group : groups_) {
      if (group.atRim == atRim) {
        stepCells<Set, T>(space, group.rows, fields, collision_, constants_, group.given);
      }
    }
  }

  /// Gives inflows and moving walls so much of their velocities, and puts what walls give back where it is read.
  void setWalls(const ExecutionSpace& space, double part) {
    for (std::vector<Group>* const groups : {&groups_, &ghostGroups_}) {
      for (Group& group : *groups) {
        group.given.part = static_cast<Real>(part);
      }
    }
    moveWalls(space, static_cast<Real>(part));
    if (usesFractions_) {
      forEach(SPANWISE_KERNEL("bounce back"), IndexRange<ExecutionSpace>(space, 0, numLinks()),
        BounceBack<T>{links_.data(), fields_[0].view().values, last_ == Streaming::PullAndPush});
    }
  }

  void moveWalls(const ExecutionSpace& space, Real part) {
    for (const Wall& wall : walls_) {
      MoveWall<Set, T> move{wall.map.lengths(), wall.neighbours.segments(), wall.map.segments(),
        fields_[0].view().values, fields_[0].view().cellStride, static_cast<unsigned>(wall.side), {}};
      std::transform(wall.velocity, wall.velocity + Dim, move.velocity, [&](Real v) { return part * v; });
      field::forCells(space, SPANWISE_KERNEL("moving wall"), wall.map.numCells(), move);
    }
  }

  /// Cells at a side that moves along itself.
  struct Wall {
    StreamMap<Set, Memory> map;
    field::StencilMap<Pattern, Memory> neighbours;
    int side;
    Real velocity[Dim];
  };

  Collision collision_;
  CollisionConstants<Real> constants_;
  Cells set_;    ///< all that there are populations of
  Cells leaves_; ///< of levels, as parents_ and ghosts_
  Cells parents_;
  Cells ghosts_;
  Cells passed_; ///< ghost cells that are stepped along
  field::FieldOn<std::uint8_t, ExecutionSpace> isPassed_;
  std::unique_ptr<parallel::HaloExchange<ExecutionSpace>> exchange_;
  std::unique_ptr<parallel::HaloExchange<ExecutionSpace>> returns_; ///< of what was pushed into the halo
  multilevel::LevelHalo<ExecutionSpace, Dim>* halo_ = nullptr;      ///< of levels
  CutPlaces<Set, T, ExecutionSpace> cutPlaces_;
  bool isInPlace_;
  bool isFused_ = true;
  Streaming last_;
  Field fields_[2]; ///< the populations, and room for those of the next step
  field::Boundary<Dim> boundary_;
  field::DomainSides slip_;
  StreamMap<Set, Memory> owned_;
  field::StencilMap<Pattern, Memory> neighbours_; ///< of the same cells
  typename Populations<ExecutionSpace, Dim>::Links links_;
  bool usesFractions_ = false;
  std::vector<Group> groups_;
  StreamMap<Set, Memory> innerGhosts_;  ///< ghost cells at no side through which fluid flows
  std::vector<Group> ghostGroups_;      ///< the others
  StreamMap<Set, Memory> ghostsAtEnds_; ///< ghost cells that are copied: to other ranks, and to ends of periods
  PopulationsOf* coarser_ = nullptr;
  LevelJump<Set, T, ExecutionSpace> jump_;
  std::vector<Wall> walls_;
};

template <class Set, class T, class ExecutionSpace, class Cells>
std::unique_ptr<Populations<ExecutionSpace, Set::dimension>> makePopulationsOf(
  const Context<ExecutionSpace>& context, const LatticeOptions<Set::dimension>& options, const Cells& cells) {
  return std::make_unique<PopulationsOf<Set, T, ExecutionSpace>>(context, options, cells);
}

/// Compiles them for a set of velocities and a type: each in a file of its own, since compilers for devices take
/// minutes for all of a set's kernels.
#define SPANWISE_POPULATIONS_OF(Set, T, Space)                                                                         \
  template std::unique_ptr<Populations<Space, Set::dimension>> makePopulationsOf<Set, T, Space>(                       \
    const Context<Space>&, const LatticeOptions<Set::dimension>&, const PopulationCells<Space, Set::dimension>&);      \
  template std::unique_ptr<Populations<Space, Set::dimension>> makePopulationsOf<Set, T, Space>(                       \
    const Context<Space>&, const LatticeOptions<Set::dimension>&, const LevelCells<Space, Set::dimension>&);

} // namespace spanwise::lattice::detail

"""A pipeline of the plugin's proxies for the tests of state files and traces: every filter that makes or takes sets,
values and levels, with values that are not the defaults."""

from paraview import simple
from vtkmodules.vtkCommonDataModel import vtkDataObjectTypes

# Tables, and hyper tree grids: a state in which one of those is shown gives errors when it is loaded, whatever made it,
# since ParaView's representations of data sets look at it first.
NOT_SHOWN = [vtkDataObjectTypes.GetTypeIdFromClassName(name) for name in ("vtkTable", "vtkHyperTreeGrid")]


def build_sets():
    """Sets of cells in 3D: the quarter of a ball that lies in a box, and what the filters for sets make of it."""
    spacing = [1 / 64] * 3
    ball = simple.SpanwiseIntervalShape(registrationName="ball", Shape="Ball", Dimension="3D", Radius=0.4,
                                        Spacing=spacing)
    numbered = simple.PointAndCellIds(registrationName="numbered", Input=ball)
    box = simple.SpanwiseIntervalShape(
        registrationName="box", Shape="Box", Dimension="3D", Corner=[0, 0, -0.5], Spacing=spacing
    )
    common = simple.SpanwiseSetAlgebra(registrationName="common", Input=[numbered, box], Operation="Intersection")
    left = simple.SpanwiseSetExpression(
        registrationName="left", Input=[common, box], InputNames=["it's", "box"], Expression='"it\'s" - erode(box, 9)'
    )
    region = simple.SpanwiseExtractRegion(registrationName="region", Input=left, Region="Set", RegionSet=ball)
    part = simple.SpanwiseExtractRegion(
        registrationName="part", Input=numbered, Side="Outside", Corner=[-0.1, -0.2, -0.3], Lengths=[0.5, 0.4, 0.3]
    )
    opened = simple.SpanwiseMorphology(
        registrationName="opened", Input=region, Operation="Open", Element="Ball", Radius=2.5, PeriodicX=1
    )
    few = simple.SpanwiseIntervalShape(
        registrationName="few", Shape="Box", Dimension="3D", Corner=[0, 0, 0], Lengths=[0.05] * 3, Spacing=spacing
    )
    grown = simple.SpanwiseMorphology(
        registrationName="grown", Input=opened, Element="Cells", ElementCells=few, ElementOrigin=[0.01, 0.01, 0.01]
    )
    shell = simple.SpanwiseBoundary(registrationName="shell", Input=ball, Side="Outer", Connectivity="Vertices")
    filled = simple.SpanwiseFillHoles(registrationName="filled", Input=shell, Connectivity="Edges", LargestHole=10**6)
    pieces = simple.SpanwiseComponents(
        registrationName="pieces", Input=part, Connectivity="Edges", Keep="Containing Point", SeedPoint=[0.0, 0.3, 0.0]
    )
    near = simple.SpanwiseSignedDistanceToSet(
        registrationName="near", Input=part, Where="Band", Width=0.1, Sign="Positive Inside", ResultArrayName="depth"
    )
    far = simple.SpanwiseSignedDistanceToSet(registrationName="far", Input=part, Where="Cells Of Second Input",
                                             CellsInput=box)
    return [region, part, opened, grown, shell, filled, pieces, near, far]


def build_values():
    """Values on sets in 2D, and hierarchies of levels of them."""
    disk = simple.SpanwiseIntervalShape(registrationName="disk", Shape="Ball", Dimension="2D", Radius=0.4,
                                        Resolution=100)
    numbers = simple.PointAndCellIds(registrationName="numbers", Input=disk)
    upper = simple.SpanwiseThresholdToIntervals(
        registrationName="upper", Input=numbers, Scalars=["CELLS", "CellIds"], LowerThreshold=2000,
        UpperThreshold=4000
    )
    remapped = simple.SpanwiseRemapField(registrationName="remapped", Input=disk, Source=upper, DefaultValue=-3)
    smooth = simple.SpanwiseFieldStencil(
        registrationName="smooth", Input=remapped, Array=["CELLS", "CellIds"], Stencil="Box Filter",
        Iterations=3, BoundaryPolicy="Value", BoundaryValue=7, ResultArrayName="smooth"
    )
    coarse = simple.SpanwiseCoarsenIntervals(
        registrationName="coarse", Input=smooth, Levels=2, Cells="Inside", FloatingPointArrays="Maximum", IntegerArrays="Sum"
    )
    fine = simple.SpanwiseRefineIntervals(registrationName="fine", Input=coarse, Levels=3, Prolongation="Minmod")
    levels = simple.SpanwiseAdaptiveRefinement(
        registrationName="levels", Input=smooth, Scalars=["CELLS", "smooth"], NumberOfLevels=3, GradientLimit=0.1,
        BufferCells=2, Grading="Face"
    )
    around = simple.SpanwiseAdaptiveRefinement(
        registrationName="around", Input=coarse, Direction="Refine", Sensor="Set", SensorSet=upper, NumberOfLevels=3,
        Prolongation="Injection"
    )
    one = simple.SpanwiseResampleLevels(
        registrationName="one", Input=levels, LevelMode="Given Level", Level=1, Prolongation="Linear"
    )
    trees = simple.SpanwiseLevelsToHyperTreeGrid(registrationName="trees", Input=levels)
    blocks = simple.SpanwiseLevelsToOverlappingAMR(registrationName="blocks", Input=levels)
    mesh = simple.SpanwiseLevelsToUnstructuredGrid(registrationName="mesh", Input=levels)
    again = simple.SpanwiseGridToLevels(registrationName="again", Input=trees)
    lines = simple.SpanwiseContourLevels(
        registrationName="lines", Input=levels, ContourBy=["CELLS", "smooth"], Isosurfaces=[2500, 3000]
    )
    return [upper, remapped, smooth, coarse, fine, levels, around, one, trees, blocks, mesh, again, lines]


def build_conversions():
    """What becomes sets, and what sets become."""
    sphere = simple.Sphere(registrationName="sphere", ThetaResolution=24, PhiResolution=24)
    solid = simple.SpanwiseSurfaceToIntervals(registrationName="solid", Input=sphere, Resolution=40)
    band = simple.SpanwiseSignedDistanceToSurface(
        registrationName="band", Input=sphere, Resolution=40, Width=0.05, Sign="Positive Inside", ResultArrayName="depth"
    )
    plate = simple.Disk(registrationName="plate", InnerRadius=0.5, OuterRadius=1.0, CircumferentialResolution=24)
    sheet = simple.SpanwisePolygonsToIntervals(registrationName="sheet", Input=plate, Resolution=30)
    image = simple.Wavelet(registrationName="image")
    bright = simple.SpanwiseImageToIntervals(
        registrationName="bright", Input=image, Scalars=["POINTS", "RTData"], LowerThreshold=180, UpperThreshold=300
    )
    explicit = simple.SpanwiseIntervalsToUnstructuredGrid(registrationName="explicit", Input=bright)
    rebuilt = simple.SpanwiseGridToIntervals(registrationName="rebuilt", Input=explicit)
    drawn = simple.SpanwiseIntervalsToImage(registrationName="drawn", Input=rebuilt)
    table = simple.SpanwiseIntervalTable(registrationName="table", Input=sheet)
    return [solid, band, sheet, bright, explicit, rebuilt, drawn, table]


def build_meshes():
    """Meshes, and what is computed on them."""
    block = simple.Wavelet(registrationName="block", WholeExtent=[-3, 3, -3, 3, -3, 3])
    tetrahedra = simple.Tetrahedralize(registrationName="tetrahedra", Input=block)
    arrival = simple.SpanwiseEikonalArrivalTime(
        registrationName="arrival", Input=tetrahedra, SourcePoints=[-2, 0, 0, 2, 1, 0], Speed=2, Unreached="Given Time",
        UnreachedTime=-1, StopTime=2
    )
    seeds = simple.PointSource(registrationName="seeds", NumberOfPoints=1, Radius=0)
    marked = simple.SpanwiseEikonalArrivalTime(
        registrationName="marked", Input=arrival, Sources="Points Of Second Input", SourceInput=seeds,
        SpeedKind="Array", SpeedArray=["POINTS", "RTData"], StopRegion="RTData", ResultArrayName="again"
    )
    ways = simple.SpanwiseEikonalPaths(registrationName="ways", Input=marked, SeedPoints=[2, 2, 2, -2, 1, 0],
                                       MaximumSteps=500)
    shore = simple.SpanwiseIntervalShape(registrationName="shore", Dimension="2D", Shape="Box", Lengths=[2, 1, 1])
    crossing = simple.SpanwiseEikonalArrivalTime(
        registrationName="crossing", Input=shore, Sources="Cells Of Second Input", SourceInput=shore, Order="Second",
        PeriodicX=1, PeriodBox="Given Bounds", PeriodBounds=[-2, 5, -2, 2, -1, 1], ComputeGradient=1
    )
    back = simple.SpanwiseEikonalPaths(registrationName="back", Input=crossing, SeedPoints=[1, 0.5, 0])
    shaped = simple.SpanwiseElementQuality(
        registrationName="shaped", Input=tetrahedra, ComputeBarycentre=1, ComputeVertexBalls=1
    )
    dealt = simple.SpanwisePartitionMesh(registrationName="dealt", Input=tetrahedra, NumberOfParts=3)
    smoothed = simple.SpanwiseSmoothMesh(
        registrationName="smoothed", Input=shaped, Iterations=3, Relaxation=0.5, HoldBoundary=0, FeatureAngle=50
    )
    pulled = simple.SpanwiseNBodyPotential(
        registrationName="pulled", Input=shaped, Particles="Cell Centres", Charges="Density Array",
        ChargeArray=["CELLS", "Quality"], TargetInput=seeds, Softening=0.1, Factor=-2, SinglePrecision=1
    )
    moved = simple.SpanwiseNBodyMotion(
        registrationName="moved", Input=shaped, Bodies="Cell Centres", Masses="Array", MassArray=["CELLS", "Quality"],
        AutomaticSoftening=0, Softening=0.3, Factor=0.5, TimeStep=0.25, StepsPerFrame=2, NumberOfFrames=3, Method="Direct"
    )
    return [arrival, marked, ways, crossing, back, shaped, dealt, smoothed, pulled, moved]


def build():
    """Builds the pipeline, shows one result of each kind, and returns the names of all."""
    names = []
    shown = {-1, *NOT_SHOWN}  # -1: not a composite
    for result in build_sets() + build_values() + build_conversions() + build_meshes():
        result.UpdatePipeline()
        information = result.GetDataInformation()
        kinds = {information.GetDataSetType(), information.GetCompositeDataSetType()}
        if not kinds <= shown:
            shown |= kinds
            simple.Show(result)
        names.append(next(name for (name, _), source in simple.GetSources().items() if source == result))
    simple.Render()
    return names


def cells_of(name):
    """What identifies a result: its kind, number of cells or rows, bounds, arrays with their ranges."""
    source = simple.FindSource(name)
    assert source, f"there is no {name}"
    source.UpdatePipeline()
    information = source.GetDataInformation()
    return (
        information.GetDataClassName(),
        information.GetNumberOfCells() + information.GetNumberOfRows(),
        tuple(information.GetBounds()),
        sorted((array.GetName(), array.GetRange(-1)) for array in list(source.CellData) + list(source.PointData)),
        sorted(array.GetName() for array in source.FieldData),
    )


def results(names):
    """The results by name; none is empty."""
    made = {name: cells_of(name) for name in names}
    for name, (_, cells, *_) in made.items():
        assert cells > 0, f"{name} is empty"
    return made


def forget():
    """Removes the whole pipeline."""
    for source in list(simple.GetSources().values()):
        simple.Delete(source)
    simple.ResetSession()
    assert not simple.GetSources()

#!/usr/bin/env python3
"""Lays out the files of a new filter: Core function, VTK class, proxy, tests, documentation page.

    ./dev new-filter THEME NAME "Label In The Menu"
    ./dev new-filter Geometry IntervalOutline "Interval Outline"

THEME is a folder of Core/ and Filters/. What is written compiles, passes the set through, and is listed where it has to
be; the places to fill in say TODO. Nothing that exists is overwritten.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent

CORE_HEADER = '''#pragma once

#include "Core/Geometry/IntervalSet.hpp"
#include "Core/Runtime/Context.hpp"

namespace spanwise{room} {{

/// out = TODO: what is computed, errors, complexity, source.
template <class ExecutionSpace, int Dim>
void {function}(const Context<ExecutionSpace>& context, const geometry::IntervalSetOn<Dim, ExecutionSpace>& set,
  geometry::IntervalSetOn<Dim, ExecutionSpace>& out);

}} // namespace spanwise{room}
'''

CORE_SOURCE = '''#include "Core/{theme}/{name}.hpp"

#include "Core/Geometry/Algebra.hpp"
#include "Core/Runtime/Label.hpp"

namespace spanwise{room} {{

template <class ExecutionSpace, int Dim>
void {function}(const Context<ExecutionSpace>& context, const geometry::IntervalSetOn<Dim, ExecutionSpace>& set,
  geometry::IntervalSetOn<Dim, ExecutionSpace>& out) {{
  SPANWISE_REGION("{theme}::{function}");
  geometry::combine<ExecutionSpace, Dim>(context, geometry::SetOperation::Union, set, {{}}, out); // TODO
}}

#define SPANWISE_INSTANTIATE(Space, Dim)                                                                               \\
  template void {function}<Space, Dim>(                                                                                \\
    const Context<Space>&, const geometry::IntervalSetOn<Dim, Space>&, geometry::IntervalSetOn<Dim, Space>&);
SPANWISE_FOR_EACH_SPACE_AND_DIMENSION(SPANWISE_INSTANTIATE)

}} // namespace spanwise{room}
'''

CORE_TEST = '''#include "Core/{theme}/{name}.hpp"
#include "Testing/Core/Geometry/Reference.hpp"
#include "Testing/Core/Spaces.hpp"
#include "Testing/Rooms.hpp"

namespace spanwise::testing {{
namespace {{

template <class Space>
class {name} : public ::testing::Test {{}};
TYPED_TEST_SUITE({name}, AllSpaces, SpaceNames);

TYPED_TEST({name}, AgreesWithBruteForce) {{
  SCOPED_TRACE("seed " + std::to_string(seed()));
  std::mt19937 random(seed());
  const CellList<3> cells = randomCells<3>(random, 6, 0.5);
  IntervalSetOn<3, TypeParam> out;
  {function}<TypeParam, 3>(Context<TypeParam>(), toSet<TypeParam, 3>(cells), out);
  expectCells<TypeParam, 3>(out, cells); // TODO: the reference
}}

}} // namespace
}} // namespace spanwise::testing
'''

VTK_HEADER = '''/**
 * @class vtkSpanwise{name}
 * @brief TODO: one line
 *
 * TODO: what is computed, units, errors, complexity.
 */
#ifndef vtkSpanwise{name}_h
#define vtkSpanwise{name}_h

#include "spanwise{theme}Module.h"
#include "vtkSpanwiseGridAlgorithm.h"

class SPANWISE{THEME}_EXPORT vtkSpanwise{name} : public vtkSpanwiseGridAlgorithm {{
public:
  static vtkSpanwise{name}* New();
  vtkTypeMacro(vtkSpanwise{name}, vtkSpanwiseGridAlgorithm);
  void PrintSelf(ostream& os, vtkIndent indent) override;

protected:
  vtkSpanwise{name}() = default;
  ~vtkSpanwise{name}() override = default;

  int FillInputPortInformation(int port, vtkInformation* info) override;
  void MakeOutput(const spanwise::RankGroup& group, vtkInformationVector** inputs, vtkUnstructuredGrid* output) override;

private:
  vtkSpanwise{name}(const vtkSpanwise{name}&) = delete;
  void operator=(const vtkSpanwise{name}&) = delete;
}};

#endif
'''

VTK_SOURCE = '''#include "vtkSpanwise{name}.h"

#include "SpanwiseBridge.h"
#include "SpanwiseComputeOnSide.h"
#include "SpanwiseRankGroup.h"

#include "Core/{theme}/{name}.hpp"

#include <vtkDataSet.h>
#include <vtkFieldData.h>
#include <vtkInformation.h>
#include <vtkObjectFactory.h>
#include <vtkUnstructuredGrid.h>

using namespace spanwise;
using namespace spanwise::geometry;

vtkStandardNewMacro(vtkSpanwise{name});

void vtkSpanwise{name}::PrintSelf(ostream& os, vtkIndent indent) {{ this->Superclass::PrintSelf(os, indent); }}

int vtkSpanwise{name}::FillInputPortInformation(int /*port*/, vtkInformation* info) {{
  info->Set(vtkAlgorithm::INPUT_REQUIRED_DATA_TYPE(), "vtkDataSet");
  return 1;
}}

void vtkSpanwise{name}::MakeOutput(const RankGroup& group, vtkInformationVector** inputs, vtkUnstructuredGrid* output) {{
  vtkDataSet* input = vtkDataSet::GetData(inputs[0], 0);
  // TODO: say what the filter needs of the other ranks: nothing, a halo of r rows, a global step.
  group.agree([&] {{
    std::visit(
      [&]<int Dim>(const Intervals<Dim>& intervals) {{
        const IntervalGrid<Dim>& grid = *intervals.grid;
        const auto compute = [&]<ComputeSide side>(const SideContext<side>& context) {{
          IntervalSetOn<Dim, SpaceOf<side>> out;
          {function}<SpaceOf<side>, Dim>(context.with(progressOf(this)), grid.mirrored().template on<side>(), out);
          setGrid<Dim>(
            output, IntervalGrid<Dim>::make(MirroredSet<Dim>::template of<side>(out), grid.placement(), grid.owned()));
        }};
        computeOnSide<Dim>(RankGroup(), "{label}", {{{{&grid.mirrored()}}}}, compute);
      }},
      intervalsOf(input, nullptr, progressOf(this)));
    output->GetFieldData()->PassData(input->GetFieldData());
  }});
}}
'''

VTK_TEST = '''#include "Testing/Filters/Geometry/Pipelines.hpp"
#include "vtkSpanwise{name}.h"

#include <gtest/gtest.h>

namespace {{

// TODO: closed forms, stock VTK as a reference, and what happens with bad input
TEST({name}, IsThere) {{
  vtkNew<vtkSpanwise{name}> filter;
  EXPECT_EQ(filter->GetNumberOfInputPorts(), 1);
}}

}} // namespace
'''

PROXY = '''<ServerManagerConfiguration>
  <ProxyGroup name="filters">
    <SourceProxy name="Spanwise{name}" class="vtkSpanwise{name}" label="Spanwise {label}">
      <Documentation short_help="TODO: one line">TODO: what is computed.</Documentation>
      <InputProperty name="Input" command="SetInputConnection">
        <ProxyGroupDomain name="groups">
          <Group name="sources"/>
          <Group name="filters"/>
        </ProxyGroupDomain>
        <DataTypeDomain name="input_type" composite_data_supported="0">
          <DataType value="vtkDataSet"/>
        </DataTypeDomain>
        <Documentation>A grid made of intervals, or any other of axis-aligned equal cells.</Documentation>
      </InputProperty>
      <Hints>
        <ShowInMenu/>
      </Hints>
    </SourceProxy>
  </ProxyGroup>
</ServerManagerConfiguration>
'''

PAGE = '''# Spanwise {label}

TODO: what it is good for, in a sentence.

- *Use it when* TODO.
- *Instead of* TODO: what people would use otherwise.

Menu *Filters > Spanwise > TODO*; Python `{python}`; C++ `vtkSpanwise{name}`.

![TODO: what the picture shows](../Pictures/{name}.png)

The input may be any data set that carries intervals or is made of axis-aligned equal cells. There are no properties.

**Errors**: TODO.

**Cost**: TODO.

**In parallel** TODO.

```python
from paraview.simple import *

ball = SpanwiseIntervalShape(Shape="Ball", Spacing=[0.05, 0.05, 0.05])
result = {python}(Input=ball)
result.UpdatePipeline()
print(f"{{result.GetDataInformation().GetNumberOfCells()}} cells")

view = CreateRenderView(ViewSize=[800, 600], OrientationAxesVisibility=0)
Show(result, view, Representation="Surface With Edges")
ResetCamera(view)
SaveScreenshot("{name}.png", view, OverrideColorPalette="WhiteBackground")
```
'''


def write(path, text):
    if path.exists():
        sys.exit(f"{path.relative_to(ROOT)} exists already; nothing more was written")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    print(path.relative_to(ROOT))


def add_line(path, pattern, line):
    """Adds a line in order to the lines that match a pattern."""
    lines = path.read_text().splitlines(keepends=True)
    matching = [k for k, text in enumerate(lines) if re.match(pattern, text)]
    if not matching:
        sys.exit(f"{path.relative_to(ROOT)} has no line like {pattern!r}; please add {line.strip()!r} by hand")
    place = next((k for k in matching if lines[k] > line), matching[-1] + 1)
    lines.insert(place, line)
    path.write_text("".join(lines))
    print(path.relative_to(ROOT))


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    theme, name, label = sys.argv[1:]
    if not re.fullmatch(r"[A-Z][A-Za-z0-9]*", name):
        sys.exit(f"the name is {name!r}; it must be of capitalised words, such as IntervalOutline")
    if not (ROOT / "Core" / theme).is_dir() or not (ROOT / "Filters" / theme).is_dir():
        sys.exit(f"the theme is {theme!r}; it must be a folder of Core/ and of Filters/")
    words = {
        "theme": theme, "THEME": theme.upper(), "name": name, "label": label,
        "room": f"::{theme.lower()}" if theme in ("Geometry", "Multilevel", "Parallel") else "",
        "function": name[0].lower() + name[1:], "python": re.sub(r"\W", "", f"Spanwise {label}"),
    }
    write(ROOT / f"Core/{theme}/{name}.hpp", CORE_HEADER.format(**words))
    write(ROOT / f"Core/{theme}/{name}.cpp", CORE_SOURCE.format(**words))
    write(ROOT / f"Testing/Core/{theme}/Test{name}.cpp", CORE_TEST.format(**words))
    write(ROOT / f"Filters/{theme}/vtkSpanwise{name}.h", VTK_HEADER.format(**words))
    write(ROOT / f"Filters/{theme}/vtkSpanwise{name}.cxx", VTK_SOURCE.format(**words))
    write(ROOT / f"Testing/Filters/{theme}/Test{name}.cpp", VTK_TEST.format(**words))
    write(ROOT / f"XML/{name}.xml", PROXY.format(**words))
    write(ROOT / f"Documentation/Filters/{name}.md", PAGE.format(**words))
    add_line(ROOT / "Core/CMakeLists.txt", rf"  {theme}/\w+\.cpp", f"  {theme}/{name}.cpp\n")
    add_line(ROOT / "Testing/Core/CMakeLists.txt", rf"spanwise_core_test\({theme}/", f"spanwise_core_test({theme}/{name})\n")
    add_line(ROOT / f"Filters/{theme}/CMakeLists.txt", r"    vtkSpanwise\w+$", f"    vtkSpanwise{name}\n")
    add_line(ROOT / f"Testing/Filters/{theme}/CMakeLists.txt", rf"spanwise_filter_test\({theme}/",
             f"spanwise_filter_test({theme}/{name} MODULES Spanwise::{theme})\n")


if __name__ == "__main__":
    main()

"""Pages of the reference of C++: one for each header of Core and for each VTK class, from doxygen's XML."""

import pathlib
import re
import xml.etree.ElementTree as tree

import doxygen_text as doc

WIDTH = 100  # of a declaration on one line
NAMES = 6  # that a list shows of a header
HEAD = ("| header | what for | declares |", "|---|---|---|")
ORPHAN = "---\norphan: true\n---\n\n"

# The rooms of Core, from the lowest floor, and what they hold.
ROOMS = {
    "Runtime": "contexts, errors, progress, loops, scans, sorts",
    "Geometry": "interval sets: builders, algebra, morphology, components",
    "Parallel": "cuts, halos, migration, messages",
    "Field": "values on sets: stencils, regions, reductions",
    "Mesh": "unstructured meshes: vertex balls, kernels, measures, parts",
    "Multilevel": "levels: refine, coarsen, balance, transfer, ghosts",
    "Solvers/Eikonal": "arrival times and signed distances",
    "Solvers/Flow": "compressible flow",
    "Solvers/Lattice": "lattice Boltzmann flow",
    "Solvers/NBody": "potentials and motion of particles",
}


def text_of(element):
    """The text of a type or value, without doxygen's blanks around angle brackets."""
    text = "" if element is None else "".join(element.itertext())
    return re.sub(r"\s+", " ", text).replace("< ", "<").replace(" >", ">").replace(" &", "&").replace(" *", "*").strip()


def template_of(element):
    parameters = element.find("templateparamlist")
    if parameters is None:
        return ""
    words = []
    for parameter in parameters.findall("param"):
        word = text_of(parameter.find("type"))
        name = parameter.findtext("declname")
        word += f" {name}" if name and not word.endswith(f" {name}") else ""
        value = text_of(parameter.find("defval"))
        words.append(f"{word} = {value}" if value else word)
    return f"template <{', '.join(words)}>\n"


def parameters_of(member):
    words = []
    for parameter in member.findall("param"):
        word = text_of(parameter.find("type"))
        name = parameter.findtext("declname") or ""
        word = word.replace("(&)", f"(&{name})") if "(&)" in word else f"{word} {name}".strip()
        word += parameter.findtext("array") or ""
        value = text_of(parameter.find("defval"))
        words.append(f"{word} = {value}" if value else word)
    return words


def declaration(member):
    """A member as C++ declares it, broken where it is too wide."""
    kind, name = member.get("kind"), member.findtext("name")
    head = template_of(member)
    before = "static " if member.get("static") == "yes" and kind == "function" else ""
    type_name = text_of(member.find("type"))
    if kind == "function":
        start = f"{before}{type_name} {name}(".lstrip()
        words = parameters_of(member)
        end = ")" + (" const" if member.get("const") == "yes" else "") + ";"
        line = start + ", ".join(words) + end
        if len(line) > WIDTH:
            line = start + "\n    " + ",\n    ".join(words) + end
        return head + line
    if kind == "typedef":
        return f"{head}using {name} = {type_name};"
    value = text_of(member.find("initializer")).removeprefix("=").strip()
    value = f" = {value}" if value and len(value) < 60 else ""
    return f"{head}{type_name} {name}{text_of(member.find('argsstring'))}{value};"


def cpp(text):
    return f"{doc.FENCE}cpp\n{text}\n{doc.FENCE}"


def enumeration(member):
    """An enumeration: what it is, and a line for each of its values."""
    lines = []
    for value in member.findall("enumvalue"):
        words = " ".join(doc.documentation(value).split())
        lines.append(f"- `{value.findtext('name')}`" + (f": {words}" if words else ""))
    if not any(": " in line for line in lines):
        lines = [", ".join(line.removeprefix("- ") for line in lines)]
    return "\n\n".join(part for part in (doc.documentation(member), "\n".join(lines)) if part)


def members_text(members):
    """Members with their doc comments; those that follow each other with the same comment are listed together."""
    parts, group, comment = [], [], None

    def close():
        if group:
            parts.append(cpp("\n".join(group)))
            if comment:
                parts.append(comment)
            group.clear()

    for member in members:
        if member.get("kind") == "enum":
            close()
            parts.append(f"**enum {member.findtext('name')}**\n\n{enumeration(member)}")
            continue
        its = doc.documentation(member)
        if its != comment:
            close()
        comment = its
        group.append(declaration(member))
    close()
    return "\n\n".join(parts)


def is_shown(member, class_name=""):
    """Whether a member is of interest: what a class deletes or every object of VTK has is not."""
    name = member.findtext("name")
    if member.get("prot") != "public" or member.get("kind") in ("friend", "define"):
        return False
    if text_of(member.find("argsstring")).endswith(("=delete", "= delete", "=default", "= default")):
        return False
    return not name.startswith(("~", "@")) and name not in ("PrintSelf", "New") and not (
        name == class_name and not doc.documentation(member))


class Doxygen:
    """What doxygen has found: members of namespaces and classes, by the header that declares them."""

    def __init__(self, folder):
        self.members = {}  # of namespaces: header -> members
        self.classes = {}  # header -> classes that stand in no other class
        self.inner = {}  # the name of a class -> classes in it
        self.headers = {}  # the id of anything -> the header that declares it
        found = []
        for file in sorted(pathlib.Path(folder).glob("*.xml")):
            if not file.name.startswith(("namespace", "class", "struct", "union")):
                continue
            for compound in tree.parse(file).getroot().findall("compounddef"):
                for one in (compound, *compound.iter("memberdef")):
                    if one.find("location") is not None:
                        self.headers[one.get("id")] = one.find("location").get("file")
                if compound.get("kind") == "namespace":
                    for member in compound.iter("memberdef"):
                        self.members.setdefault(member.find("location").get("file"), []).append(member)
                else:
                    found.append(compound)
        names = {compound.findtext("compoundname") for compound in found}
        for compound in found:
            if compound.get("prot") != "public":
                continue
            outer, _, _ = re.sub(r"<.*>$", "", compound.findtext("compoundname")).rpartition("::")
            if outer in names:
                self.inner.setdefault(outer, []).append(compound)
            else:
                self.classes.setdefault(compound.find("location").get("file"), []).append(compound)

    def class_text(self, compound, level):
        """A class: what it is, its members, and the classes in it."""
        full = compound.findtext("compoundname")
        name = full.rpartition("::")[2] if "<" not in full else full.split("::")[-1]
        kind = compound.get("kind")
        members = [m for m in compound.iter("memberdef") if is_shown(m, name)]
        members.sort(key=lambda m: (m.get("kind") != "enum", int(m.find("location").get("line"))))
        parts = [f"{'#' * level} {kind} {doc.escape(name)}", doc.documentation(compound)]
        if template := template_of(compound):
            parts.insert(1, cpp(f"{template}{kind} {name};"))
        parts.append(members_text(members))
        parts += [self.class_text(one, level + 1) for one in self.inner.get(full, ())]
        return "\n\n".join(part for part in parts if part)

    def header_text(self, header):
        """Everything that a header declares, in its order; functions of one name are one section."""
        found = [(int(m.find("location").get("line")), m) for m in self.members.get(header, ()) if is_shown(m)]
        found += [(int(c.find("location").get("line")), c) for c in self.classes.get(header, ())]
        found.sort(key=lambda pair: pair[0])
        parts, last = [], None
        for _, one in found:
            if one.tag == "compounddef":
                parts.append(self.class_text(one, 2))
                last = None
                continue
            name = one.findtext("name")
            kind = one.get("kind")
            if (kind, name) != last:
                shown = f"{name}()" if kind == "function" else f"enum {name}" if kind == "enum" else name
                parts.append(f"## {doc.escape(shown)}")
            last = kind, name
            parts.append(enumeration(one) if kind == "enum" else members_text([one]))
        return "\n\n".join(parts)

    def brief(self, header):
        """What a header is for, in one sentence: the first doc comment in it."""
        found = self.classes.get(header, []) + self.members.get(header, [])
        for one in sorted(found, key=lambda m: int(m.find("location").get("line"))):
            if text := doc.documentation(one).removeprefix("Collective. "):
                return doc.first_sentence(text)
        return ""

    def names(self, header):
        """What a header declares, as it is written in a list."""
        found = [(m, m.findtext("name") + ("()" if m.get("kind") == "function" else ""))
                 for m in self.members.get(header, ()) if is_shown(m)]
        found += [(c, c.findtext("compoundname").rpartition("::")[2]) for c in self.classes.get(header, ())]
        found.sort(key=lambda pair: int(pair[0].find("location").get("line")))
        return list(dict.fromkeys(f"`{name}`" for _, name in found))

    def namespaces(self, header):
        found = {m.findtext("qualifiedname").rpartition("::")[0] for m in self.members.get(header, ())}
        found |= {c.findtext("compoundname").rpartition("::")[0] for c in self.classes.get(header, ())}
        return sorted(found - {""})


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def core_pages(doxygen, root, out):
    """A page for each header of Core and one for each room. Gives the page of each header."""
    pages = {}
    for room in ROOMS:
        lines = {}
        for header in sorted((root / "Core" / room).rglob("*.hpp")):
            name = str(header.relative_to(root))
            body = doxygen.header_text(name)
            if "/Detail/" in name or not body:
                continue
            page = f"Reference/{name.removesuffix('.hpp')}.md"
            pages[name] = page
            namespace = ", ".join(f"`{one}`" for one in doxygen.namespaces(name))
            back = "../" * (page.count("/") - 1)
            write(out / page, f"{ORPHAN}# {header.name}\n\n`#include <{name}>`, namespace {namespace}, in the room "
                              f"[{room.removeprefix('Solvers/')}]({back}Core/{room}.md)\n\n{body}\n")
            folder = str(header.parent.relative_to(root / "Core" / room))
            brief, names = doxygen.brief(name), doxygen.names(name)
            names = ", ".join(names[:NAMES] + ["..."] * (len(names) > NAMES))
            link = page.removeprefix(f"Reference/Core/{room.rpartition('/')[0] + '/' if '/' in room else ''}")
            lines.setdefault(folder, []).append(f"| [{header.stem}]({link}) | {brief} | {names} |")
        title = room.removeprefix("Solvers/")
        readme = "../" * (room.count("/") + 2) + f"Core/{room}/README.md"
        text = f"# {title}\n\n{ROOMS[room].capitalize()}. [Why it is as it is]({readme}) stands beside the code.\n"
        for folder, items in sorted(lines.items()):
            text += ("" if folder == "." else f"\n## {folder}\n") + "\n" + "\n".join([*HEAD, *items]) + "\n"
        write(out / "Reference" / "Core" / f"{room}.md", text)
    rooms = "\n".join(f"- [{room.removeprefix('Solvers/')}](Core/{room}.md): {what}" for room, what in ROOMS.items())
    write(out / "Reference/Core.md", "# Core in C++\n\nC++20 and Kokkos; no VTK, no ParaView. Each header has a page.\n"
          "[Architecture](../Documentation/Architecture.md#how-core-is-called) says how Core is called.\n\n"
          f"{rooms}\n")
    return pages


def vtk_pages(doxygen, root, out):
    """A page for each VTK class, and a list of them by module. Gives the page of each header."""
    pages, lines = {}, {}
    for folder in sorted({path.parent for path in [*root.glob("Filters/*/vtk.module"), root / "Readers/vtk.module"]}):
        for header in sorted(folder.glob("vtkSpanwise*.h")):
            name = str(header.relative_to(root))
            compounds = [c for c in doxygen.classes.get(name, ()) if c.findtext("compoundname") == header.stem]
            if not compounds:
                continue
            page = f"Reference/Vtk/{header.stem}.md"
            pages[name] = page
            above = compounds[0].find("basecompoundref")
            filter_page = root / "Documentation" / "Filters" / f"{header.stem.removeprefix('vtkSpanwise')}.md"
            module = f"[{folder.name}](../Vtk.md#{folder.name.lower()})"
            text = f"{ORPHAN}# {header.stem}\n\nVTK class of the module {module}"
            text += f", a `{text_of(above)}`." if above is not None else "."
            if filter_page.exists():
                text += f" The filter's page: [{filter_page.stem}](../../Documentation/Filters/{filter_page.name})."
            body = doxygen.class_text(compounds[0], 2).partition("\n\n")[2]
            write(out / page, f"{text}\n\n{body}\n")
            brief = doc.first_sentence(doc.documentation(compounds[0]))
            brief = brief[:1].upper() + brief[1:]
            lines.setdefault(folder.name, []).append(f"- [{header.stem}](Vtk/{header.stem}.md): {brief}")
    text = "# VTK classes\n\nFor C++ and Python programs with VTK or ParaView; in Python of the package `spanwise`.\n"
    for module, items in lines.items():
        text += f"\n## {module}\n\n" + "\n".join(items) + "\n"
    write(out / "Reference/Vtk.md", text)
    return pages


def link_references(doxygen, pages, out):
    """What doc comments name becomes a link to its page, in all pages of the reference."""
    for page in (out / "Reference").rglob("*.md"):
        own = str(page.relative_to(out))

        def linked(found):
            place = pages.get(doxygen.headers.get(found.group(2)))
            return found.group(1) if place in (None, own) else f"[{found.group(1)}](/{place})"

        text = page.read_text(encoding="utf-8")
        page.write_text(re.sub(r"(?<!\\)\[((?:[^\[\]\\]|\\.)*)\]\(ref:(\w+)\)", linked, text), encoding="utf-8")

"""The page of the reference of the Python package, from its sources: signatures and doc strings."""

import ast
import re

FENCE = "```"
DUNDERS = ("__init__", "__getitem__", "__setitem__", "__len__")


def public_names(package):
    """The names that the package gives to its users, with the modules where they are defined."""
    module = ast.parse((package / "__init__.py").read_text(encoding="utf-8"))
    listed, origin = [], {}
    for node in module.body:
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "__all__":
            listed = ast.literal_eval(node.value)
        elif isinstance(node, ast.ImportFrom) and node.level == 1:
            origin |= {alias.name: node.module or "" for alias in node.names}
    return [(name, origin[name]) for name in listed]


def prose(text):
    """A doc string as Markdown: what is indented in it is code, and the rest is text."""
    parts = []
    for block in re.split(r"\n{2,}", text.strip("\n")):
        lines = block.split("\n")
        if all(line.startswith("    ") for line in lines):
            body = "\n".join(line[4:] for line in lines)
            if parts and parts[-1].startswith(FENCE):  # a blank line in a listing
                parts[-1] = f"{parts[-1].removesuffix(FENCE)}\n{body}\n{FENCE}"
            else:
                parts.append(f"{FENCE}text\n{body}\n{FENCE}")
        else:
            parts.append(re.sub(r"([\\*_\[\]<>|])", r"\\\1", block))
    return "\n\n".join(parts)


def docstring(node):
    return ast.get_docstring(node) or ""


def signature(node, name, is_method):
    """A function as Python declares it, broken where it is too wide."""
    arguments = ast.parse(ast.unparse(node.args).join(("def f(", "): pass"))).body[0].args
    if is_method:
        arguments.args = arguments.args[1:]
    words = ast.unparse(arguments)
    back = f" -> {ast.unparse(node.returns)}" if node.returns is not None else ""
    line = f"{name}({words}){back}"
    if len(line) > 100:
        parts = re.split(r", (?![^\[(]*[\])])", words)
        line = f"{name}(\n    " + ",\n    ".join(parts) + f",\n){back}"
    return f"{FENCE}python\n{line}\n{FENCE}"


def is_shown(node):
    if not isinstance(node, ast.FunctionDef) or not docstring(node):
        return False
    return not node.name.startswith("_") or node.name in DUNDERS


def function_text(node, level, owner=""):
    is_property = any(getattr(d, "id", "") in ("property", "cached_property") for d in node.decorator_list)
    name = f"{owner}.{node.name}" if owner else node.name
    if is_property:
        shown = f"{FENCE}python\n{name}: {ast.unparse(node.returns) if node.returns else 'Any'}\n{FENCE}"
    else:
        is_static = any(getattr(d, "id", "") == "staticmethod" for d in node.decorator_list)
        shown = signature(node, name, bool(owner) and not is_static)
    title = f"{'#' * level} {node.name.replace('_', chr(92) + '_')}{'' if is_property else '()'}"
    return f"{title}\n\n{shown}\n\n{prose(docstring(node))}"


def class_text(node, level):
    parts = [f"{'#' * level} class {node.name}", prose(docstring(node))]
    fields = [f"{node.name}.{item.target.id}: {ast.unparse(item.annotation)}"
              for item in node.body if isinstance(item, ast.AnnAssign) and not item.target.id.startswith("_")]
    if fields:
        parts.append(f"{FENCE}python\n" + "\n".join(fields) + f"\n{FENCE}")
    parts += [function_text(item, level + 1, node.name.lower()) for item in node.body if is_shown(item)]
    return "\n\n".join(part for part in parts if part)


def module_text(module, level, names=None):
    """The functions and classes of a module: those with these names, or all that are public and documented."""
    parts = []
    for node in module.body:
        if names is not None and getattr(node, "name", None) not in names:
            continue
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            parts.append(class_text(node, level))
        elif is_shown(node):
            parts.append(function_text(node, level))
    return parts


def python_page(root, out):
    package = root / "Filters" / "Python" / "spanwise"
    top = ast.parse((package / "__init__.py").read_text(encoding="utf-8"))
    parts = ["# The Python package", prose(docstring(top)),
             "[Spanwise in Python](../Documentation/Python.md) is the guide. The classes `vtkSpanwise...` are in this "
             "package too; the [reference of VTK classes](Vtk.md) has them."]
    modules = {}
    for name, origin in public_names(package):
        modules.setdefault(origin or name, []).append(name)
    for file, names in modules.items():
        module = ast.parse((package / f"{file}.py").read_text(encoding="utf-8"))
        if names == [file]:  # a module that is public as a whole
            parts += [f"## {file.replace('_', chr(92) + '_')}", prose(docstring(module)), *module_text(module, 3)]
        else:
            parts += module_text(module, 2, names)
    page = out / "Reference" / "Python.md"
    page.parent.mkdir(parents=True, exist_ok=True)
    page.write_text("\n\n".join(part for part in parts if part) + "\n", encoding="utf-8")

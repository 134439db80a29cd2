"""The Markdown pages as sources of the site: copied, with links that the site has another place for."""

import os
import posixpath
import re
import shutil

FENCE = "```"

# What the sidebar lists: captions, and the pages below them.
SIDEBAR = {
    "Begin": ["Documentation/Installing", "Documentation/Tutorials/README", "Documentation/UseCases", "Gallery",
              "Documentation/Demos", "Data/README"],
    "Use": ["Documentation/Filters/README", "Documentation/Levels", "Documentation/Python", "Documentation/PyVista",
            "Documentation/Rendering", "Documentation/Device", "Documentation/Dock",
            "Documentation/FileFormat", "Documentation/OpenVDB",
            "Documentation/Samurai", "Documentation/MeshFiles", "Documentation/InSitu", "Documentation/Performance"],
    "Reference": ["Reference/Python", "Reference/Vtk", "Reference/Core"],
    "Take part": ["Documentation/Architecture", "Documentation/AddingAFilter", "Packaging/README", "CONTRIBUTING",
                  "CHANGELOG", "CODE_OF_CONDUCT", "SECURITY"],
}

# Pages that list others in the sidebar: the pages below them, as patterns in their folders.
BELOW = {
    "Documentation/Tutorials/README": ["*", "../../Examples/Notebooks/README"],
    "Examples/Notebooks/README": ["*"],
    "Documentation/Filters/README": ["*"],
    "Documentation/Performance": ["Performance/*"],
    "Documentation/Architecture": [
        "../Core/*/README", "../Core/Solvers/*/README", "../Filters/README", "../Filters/*/README", "../Readers/README",
        "../CMake/README"],
    "Reference/Core": ["Core/*", "Core/Solvers/*"],
}

LANGUAGES = {".py": "python", ".cpp": "cpp", ".hpp": "cpp", ".h": "cpp", ".cxx": "cpp", ".txt": "cmake", ".xml": "xml",
             ".cff": "yaml"}
LINK = re.compile(r"(\]\()([^)\s]+)(\))|(<img src=\")([^\"]+)(\")")


class Site:
    def __init__(self, root, out, headers):
        """`root` is the repository, `out` the folder of the site's sources, `headers` the pages of headers."""
        self.root, self.out, self.headers = root, out, headers
        patterns = ("*.md", "Data/*.md", "Documentation/**/*.md", "Examples/**/*.md", "Core/**/README.md",
                    "Filters/**/README.md", "Readers/README.md", "CMake/README.md", "Packaging/README.md")
        self.pages = sorted(str(page.relative_to(root)) for pattern in patterns for page in root.glob(pattern))
        self.pictures = set()
        self.sources = set()  # files and folders that pages link to, which get pages of their own

    def place(self, page):
        """Where a page of the repository is in the site: README.md is its front page."""
        return "index.md" if page == "README.md" else page

    def target(self, page, link):
        """What a link becomes, in a page."""
        if re.match(r"[a-z]+:", link) or link.startswith("#"):
            return link
        path, mark, anchor = link.partition("#")
        full = posixpath.normpath(posixpath.join(posixpath.dirname(page), path))
        place = self.root / full
        if full in self.pages:
            full = self.place(full)
        elif f"{full}/README.md" in self.pages:
            full += "/README.md"
        elif full in self.headers:
            full = self.headers[full]
        elif place.suffix in (".png", ".svg"):
            self.pictures.add(full)
        elif place.suffix == ".ipynb":
            pass
        elif place.exists():
            self.sources.add(full)
            full = source_page(full)
        return posixpath.relpath(full, posixpath.dirname(self.place(page)) or ".") + mark + anchor

    def text(self, page):
        """A page with its links as the site has them."""
        text = (self.root / page).read_text(encoding="utf-8")

        def replaced(found):
            before, link, after = (group for group in found.groups() if group is not None)
            return before + self.target(page, link) + after

        parts = re.split(r"(^```.*?^```$)", text, flags=re.MULTILINE | re.DOTALL)
        return "".join(part if part.startswith(FENCE) else LINK.sub(replaced, part) for part in parts)

    def write(self, place, text):
        path = self.out / place
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def copy_pages(self):
        for page in self.pages:
            place = self.place(page)
            text = self.text(page)
            if page == "README.md":
                text += "".join(toctree(below, caption) for caption, below in SIDEBAR.items())
            self.write(place, text)
        notebooks = [str(path.relative_to(self.root)) for path in self.root.glob("Examples/Notebooks/*.ipynb")]
        for name in [*notebooks, *self.pictures]:
            path = self.out / name
            path.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(self.root / name, path)

    def add_sidebar(self):
        """Lists pages below others, once all are there."""
        for page, patterns in BELOW.items():
            file = self.out / f"{page}.md"
            if not file.exists():
                continue
            below = []
            for pattern in patterns:
                folder = file.parent
                found = sorted(path for path in folder.glob(f"{pattern}.*")
                               if path.suffix in (".md", ".ipynb") and path != file)
                below += [os.path.relpath(path.with_suffix(""), folder) for path in found]
            if below:
                with file.open("a", encoding="utf-8") as text:
                    text.write(toctree(below))

    def add_sources(self):
        """Pages that show the sources that other pages link to."""
        for name in sorted(self.sources):
            place = self.root / name
            files = [place]
            if place.is_dir():
                files = sorted(file for file in place.rglob("*") if file.is_file() and "__pycache__" not in file.parts)
            title = name if place.is_dir() else place.name
            parts = [f"---\norphan: true\n---\n\n# {title}".replace("_", r"\_"), f"In the sources: `{name}`"]
            for file in files:
                if place.is_dir():
                    parts.append(f"## {file.relative_to(place)}".replace("_", r"\_"))
                parts.append(shown(file))
            self.write(source_page(name), "\n\n".join(parts) + "\n")


def source_page(name):
    """The page of the site that shows a file or folder of the sources."""
    return f"Sources/{name}.md"


def shown(file):
    language = LANGUAGES.get(file.suffix, "text")
    text = file.read_text(encoding="utf-8").rstrip("\n")
    return f"{FENCE}``{language}\n{text}\n{FENCE}``"


def toctree(pages, caption=""):
    lines = ["", "", f"{FENCE}{{toctree}}", ":hidden:"]
    if caption:
        lines.append(f":caption: {caption}")
    return "\n".join([*lines, "", *pages, FENCE, ""])


def title(text):
    return re.search(r"^# (.*)$", text, re.MULTILINE).group(1)


def first_sentence(text):
    return re.match(r".*?[.:](?= |$)|.*", " ".join(text.split())).group(0).rstrip(".:")


def lead_sentence(text):
    """The sentence after a page's title, with the words of links alone."""
    paragraph = re.search(r"^# .*\n\n((?:.+\n)+)", text, re.MULTILINE).group(1)
    return first_sentence(re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", paragraph))

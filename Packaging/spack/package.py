# NOT RUN: written from CMakeLists.txt, never built. OWNER_... is to be filled in.
from spack.package import *


class Spanwise(CMakePackage):
    """Sparse geometry made of intervals for ParaView, VTK and C++."""

    homepage = "OWNER_HOMEPAGE"
    git = "OWNER_REPOSITORY"

    maintainers("OWNER_NAME")
    license("BSD-3-Clause")

    version("0.1.0", tag="OWNER_TAG")

    variant("vtk", default=True, description="Build the VTK modules and the Python package")
    variant("paraview", default=False, when="+vtk", description="Build the plugin for ParaView")
    variant("solvers", default=True, description="Build arrival times, distances, flows and particles")
    variant("metis", default=True, description="Partition meshes with METIS")
    variant("openmp", default=True, description="Use threads")
    variant("cuda", default=False, description="Use NVIDIA GPUs")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("cmake@3.24:", type="build")
    depends_on("ninja", type="build")
    depends_on("kokkos@4.6: +shared cxxstd=20")
    depends_on("kokkos +openmp", when="+openmp")
    depends_on("kokkos +cuda +cuda_lambda", when="+cuda")
    depends_on("highway@1.2:", when="+solvers~cuda")
    depends_on("metis", when="+metis")
    depends_on("cli11@2.3:", when="+vtk+solvers")
    depends_on("python", when="+vtk", type=("build", "run"))
    depends_on("py-numpy", when="+vtk", type=("build", "run"))
    # ParaView brings a VTK of its own.
    depends_on("vtk@9.6: +python", when="+vtk~paraview")
    depends_on("paraview@6.1: +python", when="+paraview")

    conflicts("%gcc@:12", msg="std::format needs GCC 13 or newer")
    conflicts("platform=darwin", msg="Spanwise runs on Linux")
    conflicts("platform=windows", msg="Spanwise runs on Linux")

    generator("ninja")

    def cmake_args(self):
        args = [
            self.define_from_variant("SPANWISE_VTK", "vtk"),
            self.define("SPANWISE_PARAVIEW", self.spec.satisfies("+paraview")),
            self.define_from_variant("SPANWISE_SOLVERS", "solvers"),
            self.define("BUILD_TESTING", False),
        ]
        if self.spec.satisfies("~metis"):
            args.append(self.define("SPANWISE_METIS_LIBRARY", ""))
        if self.spec.satisfies("+cuda"):
            args.append(self.define("CMAKE_CXX_COMPILER", self.spec["kokkos"].kokkos_cxx))
        return args

    def setup_run_environment(self, env):
        if self.spec.satisfies("+vtk"):
            env.prepend_path("PYTHONPATH", join_path(self.prefix.lib, "python3", "dist-packages"))
        if self.spec.satisfies("+paraview"):
            version = self.spec["paraview"].version.up_to(2)
            plugins = join_path(self.prefix.lib, f"paraview-{version}", "plugins")
            env.prepend_path("PV_PLUGIN_CONFIG_FILE", join_path(plugins, "spanwise.xml"), separator=";")

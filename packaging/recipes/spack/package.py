"""A package for Spack."""
from spack.package import CMakePackage, depends_on, license, variant, version


class Picus(CMakePackage):
    """Nonsmooth dynamics: contact, impact and dry friction."""

    homepage = "URL"
    url = "URL/picus-0.1.0.tar.gz"

    license("Apache-2.0")
    version("0.1.0", sha256="SHA256")

    variant("hdf5", default=True, description="Result files; without it results go to CSV files")
    variant("cairo", default=True, description="Figures of the tool")
    variant("native", default=True, description="Native code of expressions")
    variant("mpi", default=False, description="picus-mpi: processes of a job share the runs of a study")

    depends_on("c", type="build")
    depends_on("cmake@3.21:", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("lua@5.4")
    depends_on("suite-sparse")
    depends_on("hdf5@1.10.3:", when="+hdf5")
    depends_on("zlib-api")
    depends_on("cairo", when="+cairo")
    depends_on("mpi", when="+mpi")

    def cmake_args(self):
        return [
            self.define_from_variant("PICUS_WITH_HDF5", "hdf5"),
            self.define_from_variant("PICUS_WITH_CAIRO", "cairo"),
            self.define_from_variant("PICUS_WITH_NATIVE", "native"),
            self.define_from_variant("PICUS_WITH_MPI", "mpi"),
            self.define("PICUS_BUILD_TESTS", False),
            self.define("PICUS_BUILD_EXAMPLES", False),
        ]

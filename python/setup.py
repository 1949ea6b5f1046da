"""Builds the extension picus._core with CMake's static library of Picus.

The extension picus._figure, the figures of picus plot, is made as well if Cairo is
installed.

Environment
    PICUS_BUILD       a build folder of CMake with the targets picus_static, picus_page
                      and picus_figure, instead of one that this script makes
    PICUS_WITH_HDF5   0: without HDF5, even if it is installed; then also without Cairo
    PICUS_BUNDLE      1: the shared libraries that the extension needs become part of
                      the package, as in a wheel for other machines (needs patchelf).
                      The wheel is tagged by the glibc that its files need.
"""
import os
import pathlib
import re
import shutil
import subprocess

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

try:
    from setuptools.command.bdist_wheel import bdist_wheel
except ImportError:  # setuptools before 70.1
    from wheel.bdist_wheel import bdist_wheel

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent
LIMITED = ("Py_LIMITED_API", "0x030B0000")


def has_hdf5():
    wanted = os.environ.get("PICUS_WITH_HDF5")
    if wanted is not None:
        return wanted not in ("0", "", "OFF", "no")
    if os.environ.get("PICUS_BUNDLE"):
        return False
    return has_package("hdf5")


def has_figures():
    given = os.environ.get("PICUS_BUILD")
    if given:
        return (pathlib.Path(given) / "libpicus_figure.a").exists()
    return has_hdf5() and has_package("cairo")


def has_package(name):
    return subprocess.run(["pkg-config", "--exists", name]).returncode == 0


def flags(*packages):
    def ask(option):
        return subprocess.check_output(
            ["pkg-config", option, *packages], text=True
        ).split()

    return ask("--cflags"), ask("--libs")


class BuildWithPicus(build_ext):
    """Makes the library before the extension, and bundles libraries after it."""

    def run(self):
        with_hdf5 = has_hdf5()
        build = self.library(with_hdf5)
        self.core(build, with_hdf5)
        for figure in self.extensions[1:]:
            self.figure(figure, build)
        super().run()
        if os.environ.get("PICUS_BUNDLE"):
            self.bundle()

    def figure(self, figure, build):
        compiling, linking = flags("cairo")
        objects = [build / "libpicus_figure.a", build / "libpicus.a"]
        figure.include_dirs += [str(build / "include"), str(ROOT / "src")]
        figure.include_dirs += [str(ROOT / "tool")]
        figure.extra_compile_args += compiling
        figure.extra_objects = [str(path) for path in objects]
        figure.depends += figure.extra_objects
        figure.extra_link_args += [*linking, "-lm", "-lpthread"]

    def core(self, build, with_hdf5):
        extension = self.extensions[0]
        extension.include_dirs += [str(build / "include")]
        packages = ["lua5.4"]
        objects = [build / "libpicus.a"]
        if with_hdf5:
            packages += ["hdf5", "zlib"]
            objects.insert(0, build / "libpicus_page.a")
            extension.include_dirs += [str(ROOT / "src"), str(ROOT / "tool")]
        else:
            extension.define_macros.append(("PICUS_WITHOUT_HDF5", "1"))
        _, libraries = flags(*packages)
        extension.extra_objects = [str(path) for path in objects]
        extension.depends += extension.extra_objects
        extension.extra_link_args += [*libraries, "-lklu", "-lm", "-lpthread", "-ldl"]

    def library(self, with_hdf5):
        given = os.environ.get("PICUS_BUILD")
        if given:
            return pathlib.Path(given).resolve()
        build = (
            HERE
            / "build"
            / ("library" if with_hdf5 else "library-core")
            / ("bundle" if os.environ.get("PICUS_BUNDLE") else "own")
        ).resolve()
        with_cairo = has_figures()
        options = [
            f"-DPICUS_WITH_HDF5={'ON' if with_hdf5 else 'OFF'}",
            f"-DPICUS_WITH_CAIRO={'ON' if with_cairo else 'OFF'}",
            "-DPICUS_WITH_TOOL=OFF",
            "-DPICUS_BUILD_TESTS=OFF",
            "-DPICUS_BUILD_EXAMPLES=OFF",
            "-DCMAKE_BUILD_TYPE=Release",
        ]
        if os.environ.get("PICUS_BUNDLE"):
            header = HERE / "csrc/older_glibc.h"
            options.append(f'-DCMAKE_C_FLAGS=-include "{header}"')  # a path with blanks
        subprocess.check_call(["cmake", "-S", str(ROOT), "-B", str(build), *options])
        targets = ["picus_static"] + (["picus_page"] if with_hdf5 else [])
        targets += ["picus_figure"] if with_cairo else []
        jobs = os.environ.get("JOBS", str(os.cpu_count() or 1))
        subprocess.check_call(
            ["cmake", "--build", str(build), "--parallel", jobs, "--target", *targets]
        )
        return build

    def bundle(self):
        """Copies the libraries beside the extension; they find each other there."""
        module = pathlib.Path(self.get_ext_fullpath("picus._core")).resolve()
        folder = module.parent / "libraries"
        folder.mkdir(exist_ok=True)
        lines = subprocess.check_output(["ldd", str(module)], text=True).splitlines()
        system = {"libc.so.6", "libm.so.6", "libpthread.so.0", "libdl.so.2"}
        for line in lines:
            name, _, rest = line.strip().partition(" => ")
            if not rest or name in system:
                continue
            target, source = folder / name, rest.split()[0]
            shutil.copyfile(source, target)
            target.chmod(0o755)
            self.copy_licence(source, folder)
            subprocess.check_call(["patchelf", "--set-rpath", "$ORIGIN", str(target)])
        subprocess.check_call(
            ["patchelf", "--set-rpath", "$ORIGIN/libraries", str(module)]
        )
        subprocess.check_call(["strip", "--strip-unneeded", str(module)])

    def copy_licence(self, library, folder):
        """Debian has the licence of each package in a file."""
        path = pathlib.Path(library).resolve()
        owner = subprocess.run(
            ["dpkg", "-S", str(path)], capture_output=True, text=True
        ).stdout.partition(":")[0]
        licence = pathlib.Path("/usr/share/doc") / owner / "copyright"
        if owner and licence.exists():
            shutil.copyfile(licence, folder / f"{owner}.copyright")


def needed_glibc(files):
    """The newest version of glibc that the symbols of the files ask for."""
    found = [(2, 17)]  # the oldest one that has a tag
    for file in files:
        text = subprocess.check_output(["readelf", "-VW", str(file)], text=True)
        found += [
            (int(a), int(b)) for a, b in re.findall(r"\bGLIBC_(\d+)\.(\d+)", text)
        ]
    return max(found)


class TaggedWheel(bdist_wheel):
    """A wheel whose tag says which machines it is for."""

    def get_tag(self):
        python, abi, platform = super().get_tag()
        if os.environ.get("PICUS_BUNDLE") and platform.startswith("linux_"):
            files = pathlib.Path(self.bdist_dir).rglob("*.so*")
            major, minor = needed_glibc(sorted(files))
            platform = platform.replace("linux", f"manylinux_{major}_{minor}", 1)
        return python, abi, platform


def new_extension(name, sources):
    return Extension(
        name,
        sources=sources,
        depends=[str(p) for p in (HERE / "csrc").glob("*.h")],
        include_dirs=[str(ROOT / "include"), str(HERE / "csrc")],
        define_macros=[LIMITED],
        extra_compile_args=["-std=c17", "-fvisibility=hidden"],
        py_limited_api=True,
    )


sources = [p for p in (HERE / "csrc").glob("*.c") if p.name != "figures.c"]
extensions = [
    new_extension("picus._core", sorted(str(p.relative_to(HERE)) for p in sources))
]
if has_figures():
    extensions.append(new_extension("picus._figure", ["csrc/figures.c"]))
setup(
    ext_modules=extensions,
    cmdclass={"build_ext": BuildWithPicus, "bdist_wheel": TaggedWheel},
    options={"bdist_wheel": {"py_limited_api": "cp311"}},
)

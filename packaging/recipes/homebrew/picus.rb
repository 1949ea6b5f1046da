# A formula for Homebrew.
class Picus < Formula
  desc "Nonsmooth dynamics: contact, impact and dry friction"
  homepage "URL"
  url "URL/picus-0.1.0.tar.gz"
  sha256 "SHA256"
  license "Apache-2.0"

  depends_on "cmake" => :build
  depends_on "pkgconf" => :build
  depends_on "cairo"
  depends_on "hdf5"
  depends_on "lua@5.4"
  depends_on "suite-sparse"

  uses_from_macos "zlib"

  def install
    args = %w[-DPICUS_BUILD_TESTS=OFF -DPICUS_BUILD_EXAMPLES=OFF -DPICUS_INSTALL_DOCUMENTS=OFF]
    system "cmake", "-S", ".", "-B", "obj", *args, *std_cmake_args
    system "cmake", "--build", "obj"
    system "cmake", "--install", "obj"
  end

  test do
    output = shell_output("#{bin}/picus run woodpecker --t-end 0.1 --out w.h5")
    assert_match "done at t = 0.1 s", output
    system bin/"picus", "plot", "w.h5", "--out", "w.png"
    assert_path_exists testpath/"w.png"
  end
end

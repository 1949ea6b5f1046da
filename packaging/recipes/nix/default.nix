# For Nix: `nix-build packaging/recipes/nix` in the sources.
{ pkgs ? import <nixpkgs> { } }:
pkgs.stdenv.mkDerivation {
  pname = "picus";
  version = "0.1.0";
  src = ../../..;
  nativeBuildInputs = [ pkgs.cmake pkgs.ninja pkgs.pkg-config ];
  buildInputs = [ pkgs.lua5_4 pkgs.hdf5 pkgs.suitesparse pkgs.cairo pkgs.zlib ];
  cmakeFlags = [ "-DPICUS_BUILD_TESTS=OFF" "-DPICUS_BUILD_EXAMPLES=OFF" ];
  doInstallCheck = true;
  installCheckPhase = "$out/bin/picus run woodpecker --t-end 0.1 --quiet --csv $TMPDIR/w.csv";
  meta = {
    description = "Nonsmooth dynamics: contact, impact and dry friction";
    license = pkgs.lib.licenses.asl20;
    mainProgram = "picus";
  };
}

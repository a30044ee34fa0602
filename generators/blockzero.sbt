// SPDX-License-Identifier: BSD-3-Clause
//
// Read by sbt as part of Chipyard's own project: compiles the engine, its TileLink tile and the configurations with it.
// 'make chipyard-link' puts a link to this file beside that project, and one to each folder where it looks for them.

Compile / unmanagedSourceDirectories ++= Seq("engine", "tilelink", "configs")
  .map(folder => (ThisBuild / baseDirectory).value / "generators" / "blockzero" / folder)

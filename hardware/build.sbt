// SPDX-License-Identifier: BSD-3-Clause
//
// sbt compile / test. CHISEL=6.7.0 in the environment (or -DCHISEL=6.7.0) builds the same sources with
// Chipyard's Chisel instead of the current one.

// Chisel's compiler plugin is tied to an exact Scala version: a Chisel release is chosen with its Scala.
val scalaFor = Map("7.14.0" -> "2.13.16", "6.7.0" -> "2.13.15")

val chiselRelease = sys.props.get("CHISEL").orElse(sys.env.get("CHISEL")).getOrElse("7.14.0")

val scalaRelease = scalaFor.getOrElse(
  chiselRelease,
  sys.error(s"CHISEL=$chiselRelease: expected one of ${scalaFor.keys.mkString(", ")}")
)

lazy val hardware = (project in file("."))
  .settings(
    name         := "blockzero",
    organization := "blockzero",
    version      := "1.0.0",
    scalaVersion := scalaRelease,
    // One target directory for each Chisel, so that switching does not rebuild everything.
    target := baseDirectory.value / "target" / s"chisel-$chiselRelease",
    // Chisel 7.14.0 depends on a newer scala-library than the one its plugin is built for.
    allowUnsafeScalaLibUpgrade := true,
    scalacOptions ++= Seq("-deprecation", "-feature", "-unchecked", "-Xcheckinit", "-language:reflectiveCalls"),
    addCompilerPlugin("org.chipsalliance" % "chisel-plugin" % chiselRelease cross CrossVersion.full),
    libraryDependencies ++= Seq(
      "org.chipsalliance" %% "chisel"    % chiselRelease,
      "org.scalatest"     %% "scalatest" % "3.2.19" % Test
    ),
    // ChiselSim's scalatest interface came with Chisel 7: the simulations run there alone.
    Test / unmanagedSourceDirectories ++=
      (if (chiselRelease.startsWith("6.")) Nil else Seq(baseDirectory.value / "src/test/scala-sim")),
    // What the Chipyard sources do without rocket-chip is tested here.
    Test / unmanagedSources ++= Seq("ClockRelation", "HeldRead")
      .map(file => baseDirectory.value.getParentFile / "generators/tilelink" / s"$file.scala"),
    // One Verilator build at a time: each takes a core and half a gigabyte.
    Test / parallelExecution := false,
    Test / fork              := true,
    // The working directory of a test is the repository, where the generated files are.
    Test / baseDirectory     := baseDirectory.value.getParentFile
  )

// The Chipyard sources, without a Chipyard: only their syntax can be checked ('sbt generators/compile').
lazy val generators = (project in file("target/generators"))
  .settings(
    scalaVersion                        := scalaRelease,
    scalacOptions                       += "-Ystop-after:parser",
    Compile / unmanagedSourceDirectories := Seq((ThisBuild / baseDirectory).value.getParentFile / "generators")
  )

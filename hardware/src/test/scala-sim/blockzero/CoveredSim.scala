// SPDX-License-Identifier: BSD-3-Clause
package blockzero

import chisel3.simulator.HasSimulator
import chisel3.simulator.scalatest.ChiselSim
import org.scalatest.TestSuite
import svsim.verilator.Backend.CompilationSettings

/** ChiselSim that counts cover points: each simulation leaves a `coverage.dat`. */
trait CoveredSim extends ChiselSim { self: TestSuite =>
  implicit val covered: HasSimulator = HasSimulator.simulators.verilator(verilatorSettings =
    CompilationSettings.default.withCoverageSettings(new CompilationSettings.CoverageSettings(user = true))
  )
}

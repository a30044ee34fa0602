// SPDX-License-Identifier: BSD-3-Clause
package blockzero

import org.scalatest.funspec.AnyFunSpec
import java.nio.file.{Files, Paths}

class GenerateRegistersSpec extends AnyFunSpec {
  for ((name, content) <- GenerateRegisters.files) it(s"$name is what the register map says") {
    // Tests run in the repository's root (build.sbt).
    val path = Paths.get(name)
    assert(Files.exists(path), s"$path is missing: sbt \"runMain blockzero.GenerateRegisters ..\"")
    assert(Files.readString(path) == content, s"$path is stale: sbt \"runMain blockzero.GenerateRegisters ..\"")
  }
}

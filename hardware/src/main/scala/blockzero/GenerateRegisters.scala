// SPDX-License-Identifier: BSD-3-Clause
package blockzero

import blockzero.registers.{CHeader, Markdown}
import java.nio.file.{Files, Path, Paths}

/** Writes the files made from the register map.
  *
  * The argument is the repository's root: `GenerateRegisters ..` from hardware/.
  */
object GenerateRegisters {

  /** Path below the repository's root, and content. */
  def files: Seq[(String, String)] = Seq(
    "sw/include/blockzero_regs.h" -> CHeader(),
    "docs/registers.md"           -> Markdown()
  )

  def main(args: Array[String]): Unit = {
    require(args.length == 1, s"expected the repository's root as the one argument, found ${args.length} arguments")
    for ((name, content) <- files) {
      val path: Path = Paths.get(args(0), name)
      Files.createDirectories(path.getParent)
      Files.writeString(path, content)
      println(s"wrote $path")
    }
  }
}

// SPDX-License-Identifier: BSD-3-Clause
package blockzero.registers

/** Writes the register map as a C header for Linux, bare-metal C and assembler. */
object CHeader {
  private def define(name: String, value: String): String = {
    // Values start at column 48, in tabs as the kernel wants them.
    val head = s"#define $name"
    head + "\t" * math.max(1, (48 - head.length + 7) / 8) + value
  }

  private def comment(text: String): Seq[String] = {
    val lines = text.split(' ').foldLeft(Seq("")) { (done, word) =>
      if (done.last.isEmpty) done.init :+ word
      else if (done.last.length + word.length + 1 <= 72) done.init :+ s"${done.last} $word"
      else done :+ word
    }
    if (lines.size == 1) Seq(s"/* ${lines.head} */") else Seq("/*") ++ lines.map(l => s" * $l") ++ Seq(" */")
  }

  private def offsetDefine(r: Register): String = r.repeat match {
    case None         => define(s"BLOCKZERO_${r.name}", f"0x${r.offset}%03x")
    case Some(repeat) => define(s"BLOCKZERO_${r.name}(i)", f"(0x${r.offset}%03x + 0x${repeat.stride}%02x * (i))")
  }

  private def fieldDefines(r: Register): Seq[String] = {
    val shifts = r.fields.map(f => define(s"BLOCKZERO_${r.name}_${f.name}_SHIFT", f.lsb.toString))
    val masks  = r.fields.map(f => define(s"BLOCKZERO_${r.name}_${f.name}_MASK", "0x%016xULL".format(f.mask)))
    shifts ++ masks
  }

  def apply(): String = {
    val map = BlockZeroRegisters
    val lines =
      Seq("/* SPDX-License-Identifier: GPL-2.0-only OR BSD-3-Clause */") ++
        comment("BlockZero register map. Generated from hardware/src/main/scala/blockzero/registers by " +
          "blockzero.GenerateRegisters: do not edit.") ++
        Seq("#ifndef BLOCKZERO_REGS_H", "#define BLOCKZERO_REGS_H", "") ++
        comment("Every register is 64 bits. A write counts only if it is one aligned 64-bit store. The masks are for " +
          "C alone, the rest is for assembler too.") ++
        Seq("", define("BLOCKZERO_PAGE_BYTES", f"0x${Page.bytes}%x")) ++
        comment("Offset of channel c's page; a channel register's offset is added to it.") ++
        Seq(define("BLOCKZERO_CHANNEL(c)", s"(BLOCKZERO_PAGE_BYTES * (1 + (c)))")) ++
        Seq("") ++
        Seq(
          define("BLOCKZERO_MAGIC", f"0x${map.magic}%x"),
          define("BLOCKZERO_VERSION_MAJOR", map.versionMajor.toString),
          define("BLOCKZERO_VERSION_MINOR", map.versionMinor.toString)
        ) ++
        Seq("") ++ comment("Error codes: ERROR.CODE") ++
        map.errorCodes.map(e => define(s"BLOCKZERO_ERR_${e.name}", e.value.toString) + s"\t/* ${e.doc} */") ++
        map.pages.flatMap { page =>
          Seq("") ++ comment(s"The ${page.name} page. ${page.doc}") ++ page.registers.flatMap { r =>
            Seq("") ++ comment(s"${r.name} (${r.access.label}): ${r.doc}") ++ Seq(offsetDefine(r)) ++ fieldDefines(r)
          }
        } ++
        Seq("", "#endif /* BLOCKZERO_REGS_H */")
    lines.mkString("", "\n", "\n")
  }
}

// SPDX-License-Identifier: BSD-3-Clause
package blockzero.tilelink

import blockzero.{EngineParams, RegisterPort}
import blockzero.registers._
import chisel3._
import freechips.rocketchip.regmapper._

/** The engine's registers as a TLRegisterNode's regmap, from the one register description: addresses, fields and their
  * descriptions in Chipyard's regmap JSON are those of the C header and docs/registers.md.
  *
  * A store counts only if it writes all 64 bits, as at every adapter: the engine sees it when each field of the register,
  * and what is reserved between them, is written.
  *
  * The engine has one address for reads and one for writes, so the node must be `beatBytes` wide: a wider one would
  * access several registers in a cycle. A TLWidthWidget joins it to other buses.
  */
object RegisterMap {

  /** Of the node's beats: one register each. */
  val beatBytes: Int = 8

  /** Accesses that the node must hold: the engine answers a read in the cycle after it was asked. */
  val concurrency: Int = 1

  /** @param registers the engine's port; this drives it */
  def apply(engine: EngineParams, registers: RegisterPort): Seq[RegField.Map] = {
    val readData = HeldRead(registers)
    val bound    = present(engine).map(new Bound(_, readData))
    registers.read.valid         := bound.map(_.read).reduce(_ || _)
    registers.read.bits          := bound.map(b => Mux(b.read, b.address, 0.U)).reduce(_ | _)
    registers.write.valid        := bound.map(_.written).reduce(_ || _)
    registers.write.bits.address := bound.map(b => Mux(b.written, b.address, 0.U)).reduce(_ | _)
    registers.write.bits.data    := bound.map(b => Mux(b.written, b.data, 0.U)).reduce(_ | _)
    registers.write.bits.mask    := 0xff.U
    bound.map(b => b.place.offset -> b.fields)
  }

  /** One copy of a register.
    *
    * @param name   with the page and the copy, for example CHANNEL1_SUBMIT
    * @param offset bytes from the start of the aperture
    */
  private case class Place(register: Register, name: String, offset: Int)

  /** Every register that this build has. */
  private def present(engine: EngineParams): Seq[Place] = {
    def page(page: Page, prefix: String, base: Int) = for {
      register <- page.registers if register != BlockZeroRegisters.Test || engine.testHooks
      copy     <- 0 until register.repeat.fold(1)(_ => engine.windows)
    } yield Place(register, prefix + register.name + register.repeat.fold("")(_ => s"_$copy"), base + register.offsetOf(copy))

    page(BlockZeroRegisters.global, "", 0) ++
      (0 until engine.channels).flatMap(c => page(BlockZeroRegisters.channel, s"CHANNEL${c}_", (1 + c) * Page.bytes))
  }

  /** A register's fields on the bus, and what the bus does with them in this cycle.
    *
    * @param readData of the register that was asked for in an earlier cycle
    */
  private class Bound(val place: Place, readData: UInt) {
    private val access = place.register.access
    private val parts  = split(place.register)
    private val reads  = parts.map(_ => WireDefault(false.B))
    private val writes = parts.map(_ => WireDefault(false.B))
    private val values = parts.map(f => WireDefault(0.U(f.width.W)))

    val address: UInt = place.offset.U(RegisterPort.addressBits.W)
    val read:    Bool = reads.reduce(_ || _)
    val written: Bool = writes.reduce(_ && _)
    val data:    UInt = values.reverse.reduce[UInt](_ ## _)

    val fields: Seq[RegField] = RegFieldGroup(
      place.name,
      Some(place.register.doc),
      parts.zipWithIndex.map { case (field, i) =>
        val read: RegReadFn =
          // Neither side waits for the other: the node joins all fields of a register, and offers a read to one of them
          // only when every other field is ready.
          if (access.readable) RegReadFn { (asked, _) => reads(i) := asked; (true.B, true.B, readData(field.msb, field.lsb)) }
          else RegReadFn(())
        val write: RegWriteFn =
          if (access.writable) RegWriteFn { (valid, data) => writes(i) := valid; values(i) := data; true.B }
          else RegWriteFn(())
        RegField(field.width, read, write, describe(field))
      }
    )

    private def describe(field: Field) = RegFieldDesc(
      name = field.name,
      desc = field.doc,
      access = (access.readable, access.writable) match {
        case (true, true) => RegFieldAccessType.RW
        case (true, _)    => RegFieldAccessType.R
        case _            => RegFieldAccessType.W
      },
      wrType = access match {
        case Access.WriteOneToSet => Some(RegFieldWrType.ONE_TO_SET)
        case Access.WriteToClear  => Some(RegFieldWrType.CLEAR)
        case _                    => None
      },
      volatile = access == Access.ReadOnly,
      reset = field.reset
    )
  }

  /** The fields from bit 0 to 63, with what is reserved between them. */
  private def split(register: Register): Seq[Field] = {
    def reserved(from: Int, to: Int) = if (from < to) Seq(Field("reserved", from, to - from, "")) else Nil
    val fields = register.fields.sortBy(_.lsb)
    val starts = 0 +: fields.map(_.msb + 1)
    fields.zip(starts).flatMap { case (field, from) => reserved(from, field.lsb) :+ field } ++ reserved(starts.last, 64)
  }
}

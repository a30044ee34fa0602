// SPDX-License-Identifier: BSD-3-Clause
package blockzero

import chisel3._
import chisel3.util._

/** The engine with its ports packed into one input and one output, because a peek or poke costs as much as many
  * cycles, and with a fast sink for jobs too long to watch block by block.
  */
class EngineHarness(val p: EngineParams) extends Module {
  val io = IO(new Bundle {
    val in  = Input(UInt(EngineHarness.in(p).getWidth.W))
    val out = Output(UInt(EngineHarness.out(p).getWidth.W))
  })

  private val in     = io.in.asTypeOf(EngineHarness.in(p))
  private val out    = Wire(EngineHarness.out(p))
  private val engine = Module(new Engine(p))
  io.out := out.asUInt

  engine.io.registers.write.valid        := in.writeValid
  engine.io.registers.write.bits.address := in.writeAddress
  engine.io.registers.write.bits.data    := in.writeData
  engine.io.registers.write.bits.mask    := in.writeMask
  engine.io.registers.read.valid         := in.readValid
  engine.io.registers.read.bits          := in.readAddress

  engine.io.block.ready        := in.ready || in.sink
  engine.io.response.valid     := in.responseValid
  engine.io.response.bits.slot := in.responseSlot
  engine.io.response.bits.code := in.responseCode

  out.readData   := engine.io.registers.readData
  out.blockValid := engine.io.block.valid
  out.block      := engine.io.block.bits.block
  out.fill       := engine.io.block.bits.fill
  out.slot       := engine.io.block.bits.slot
  out.irq        := engine.io.irq.asUInt

  // The sink takes a block every cycle and answers it in the next.
  private val taken = in.sink && engine.io.block.valid
  when(RegNext(taken, false.B)) {
    engine.io.response.valid     := true.B
    engine.io.response.bits.slot := RegNext(engine.io.block.bits.slot)
    engine.io.response.bits.code := Code.None
  }
  private val count = RegInit(0.U(32.W))
  private val first = RegInit(0.U(p.blockBits.W))
  private val last  = RegInit(0.U(p.blockBits.W))
  private val gap   = RegInit(false.B) // a block not after the one before
  when(in.sinkClear) {
    count := 0.U
    gap   := false.B
  }.elsewhen(taken) {
    count := count + 1.U
    last  := out.block
    when(count === 0.U)(first := out.block)
    when(count =/= 0.U && out.block =/= last + 1.U)(gap := true.B)
  }
  out.sinkCount := count
  out.sinkFirst := first
  out.sinkLast  := last
  out.sinkGap   := gap
}

object EngineHarness {
  class In(p: EngineParams) extends Bundle {
    val writeValid    = Bool()
    val writeAddress  = UInt(16.W)
    val writeData     = UInt(64.W)
    val writeMask     = UInt(8.W)
    val readValid     = Bool()
    val readAddress   = UInt(16.W)
    val ready         = Bool()
    val responseValid = Bool()
    val responseSlot  = UInt(p.slotBits.W)
    val responseCode  = UInt(4.W)
    val sink          = Bool()
    val sinkClear     = Bool()
  }

  class Out(p: EngineParams) extends Bundle {
    val readData   = UInt(64.W)
    val blockValid = Bool()
    val block      = UInt(p.blockBits.W)
    val fill       = UInt(8.W)
    val slot       = UInt(p.slotBits.W)
    val irq        = UInt(p.channels.W)
    val sinkCount  = UInt(32.W)
    val sinkFirst  = UInt(p.blockBits.W)
    val sinkLast   = UInt(p.blockBits.W)
    val sinkGap    = Bool()
  }

  def in(p:  EngineParams): In = new In(p)
  def out(p: EngineParams): Out = new Out(p)
}

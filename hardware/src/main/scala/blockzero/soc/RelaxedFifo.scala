// SPDX-License-Identifier: BSD-3-Clause
package blockzero.soc

import chisel3._
import chisel3.util._

/** Stands in for the TLFIFOFixer of Rocket's front port, with its ports: sims/blockzero/building/rocket.py puts it there.
  *
  * The published fixer keeps responses of one AXI ID in order by letting one request an ID travel at a time. This one
  * lets every write travel at once, and puts the acknowledgements back in order: they carry no data, so a reorder
  * buffer is a few bits a source. The AXI4 side stays compliant. Reads, which the engine does not do, go one at a time.
  *
  * After every fourth request it is quiet for a cycle. TLBroadcast sends on what its trackers hold, the first tracker
  * first: writes that take every cycle would keep a hart's miss, in the last tracker, waiting until they end.
  *
  * The TileLink source is what AXI4ToTL makes of a request: {AXI ID (1 bit), count within the ID (2), is a write (1)}.
  */
class RelaxedFifo extends Module {
  private val ids    = 2
  private val counts = 4
  private val row    = 4 // requests without a pause

  class AmbaProt extends Bundle {
    val bufferable, modifiable, readalloc, writealloc, privileged, secure, fetch = Bool()
  }
  class User extends Bundle { val amba_prot = new AmbaProt }
  class A extends Bundle {
    val opcode  = UInt(3.W)
    val size    = UInt(4.W)
    val source  = UInt(4.W)
    val address = UInt(32.W)
    val user    = new User
    val mask    = UInt(8.W)
    val data    = UInt(64.W)
  }
  class D extends Bundle {
    val opcode  = UInt(3.W)
    val size    = UInt(4.W)
    val source  = UInt(4.W)
    val denied  = Bool()
    val data    = UInt(64.W)
    val corrupt = Bool()
  }

  /** What the outer side's D has besides. */
  class DOut extends D {
    val param = UInt(2.W)
    val sink  = UInt(2.W)
  }
  class Outer extends Bundle {
    val a = Decoupled(new A)
    val d = Flipped(Decoupled(new DOut))
  }
  class Inner extends Bundle {
    val a = Flipped(Decoupled(new A))
    val d = Decoupled(new D)
  }
  val auto = IO(new Bundle {
    val in  = new Inner
    val out = new Outer
  })
  private val (in, out) = (auto.in, auto.out)

  /** Beats after the first of a message of 2^size bytes on the 8-byte bus. */
  private def beatsAfter(size: UInt, hasData: Bool) = Mux(hasData, ((1.U(12.W) << size) - 1.U)(11, 3), 0.U)

  private def first(fire: Bool, beats: UInt) = {
    val left = RegInit(0.U(9.W))
    when(fire) { left := Mux(left === 0.U, beats, left - 1.U) }
    left === 0.U
  }

  // A: a write waits only for its own source, a read for the read before it.
  private val inFlight = RegInit(0.U(16.W)) // by source, until its acknowledgement or last data beat went in
  private val isWrite  = in.a.bits.source(0)
  private val anyRead  = (inFlight & "h5555".U).orR
  private val aFirst   = first(in.a.fire, beatsAfter(in.a.bits.size, !in.a.bits.opcode(2)))
  private val rowEnds  = Counter(in.a.fire && aFirst, row)._2
  private val pause    = RegInit(false.B)
  when(rowEnds) { pause := true.B }.elsewhen(aFirst) { pause := false.B }
  private val stall = aFirst && (pause || Mux(isWrite, inFlight(in.a.bits.source), anyRead))
  out.a.valid := in.a.valid && !stall
  out.a.bits  := in.a.bits
  in.a.ready  := out.a.ready && !stall

  // D: data passes, acknowledgements wait here for their turn.
  private val hasData = out.d.bits.opcode(0)
  private val acked   = RegInit(VecInit.fill(16)(false.B))
  private val denied  = Reg(Vec(16, Bool()))
  private val size    = Reg(Vec(16, UInt(4.W)))
  private val turn    = RegInit(VecInit.fill(ids)(0.U(log2Ceil(counts).W)))

  private val heads   = VecInit(Seq.tabulate(ids)(id => Cat(id.U(1.W), turn(id), 1.U(1.W))))
  private val ready   = VecInit(heads.map(acked(_)))
  private val id      = !ready(0)
  private val ack     = heads(id)
  private val dFirst  = first(in.d.fire, beatsAfter(in.d.bits.size, in.d.bits.opcode(0)))
  private val data    = out.d.valid && hasData
  private val sendAck = ready.asUInt.orR && dFirst && !data

  in.d.valid        := data || sendAck
  in.d.bits         := out.d.bits
  when(sendAck) {
    in.d.bits.opcode  := 0.U // AccessAck
    in.d.bits.size    := size(ack)
    in.d.bits.source  := ack
    in.d.bits.denied  := denied(ack)
    in.d.bits.corrupt := false.B
  }
  out.d.ready := !hasData || in.d.ready

  when(out.d.fire && !hasData) {
    acked(out.d.bits.source)  := true.B
    denied(out.d.bits.source) := out.d.bits.denied
    size(out.d.bits.source)   := out.d.bits.size
  }
  when(in.d.fire && sendAck) {
    acked(ack) := false.B
    turn(id)   := turn(id) + 1.U
  }

  private val start = Mux(in.a.fire && aFirst, UIntToOH(in.a.bits.source, 16), 0.U)
  private val end   = Mux(in.d.fire && dFirst, UIntToOH(in.d.bits.source, 16), 0.U)
  inFlight := (inFlight | start) & ~end

  assert(!(out.d.fire && !hasData && acked(out.d.bits.source)), "a write was acknowledged twice")
  assert(!(out.d.fire && !hasData && !inFlight(out.d.bits.source)), "an acknowledgement without its write")
}

// SPDX-License-Identifier: BSD-3-Clause
// Tells the simulator, every 65,536 cycles, how many instructions a hart has retired, where it is, and whether it waits for an
// interrupt.
module RetireProbe(input clock, input reset, input [1:0] hart, input retire, input [39:0] pc, input wfi);
  import "DPI-C" function void blockzero_retired(input int hart, input longint instructions, input longint pc, input bit wfi);

  reg [63:0] instructions;
  reg [15:0] phase;
  always @(posedge clock) begin
    if (reset) begin
      instructions <= 64'h0;
      phase <= 16'h0;
    end else begin
      instructions <= instructions + {63'h0, retire};
      phase <= phase + 16'h1;
      if (&phase) blockzero_retired({30'h0, hart}, instructions, {{24{pc[39]}}, pc}, wfi);
    end
  end
endmodule

bind Rocket RetireProbe retire_probe(
  .clock(clock), .reset(reset), .hart(2'(io_hartid)), .retire(csr_io_retire), .pc(wb_reg_pc), .wfi(csr_io_status_wfi)
);

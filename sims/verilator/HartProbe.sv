// SPDX-License-Identifier: BSD-3-Clause
// Tells the simulator, when it asks, how many instructions a hart has retired, where it is, and whether it waits for an interrupt.
module HartProbe(input clock, input reset, input [1:0] hart, input retire, input [39:0] pc, input wfi);
  import "DPI-C" context function void blockzero_add_hart();
  export "DPI-C" function blockzero_hart;

  reg [63:0] instructions;
  always @(posedge clock) begin
    if (reset) instructions <= 64'h0;
    else instructions <= instructions + {63'h0, retire};
  end

  function void blockzero_hart(output int number, output longint retired, output longint at, output bit waits);
    number = {30'h0, hart};
    retired = instructions;
    at = {{24{pc[39]}}, pc};
    waits = wfi;
  endfunction

  initial blockzero_add_hart();
endmodule

bind Rocket HartProbe hart_probe(
  .clock(clock), .reset(reset), .hart(2'(io_hartid)), .retire(csr_io_retire), .pc(wb_reg_pc), .wfi(csr_io_status_wfi)
);

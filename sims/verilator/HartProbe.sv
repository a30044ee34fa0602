// SPDX-License-Identifier: BSD-3-Clause
// Tells the simulator, when it asks, how many instructions a hart has retired, where it is, whether it waits for an interrupt, and what
// it does in this cycle; and of every page fault.
module HartProbe(
  input clock, input reset, input [1:0] hart, input retire, input [39:0] pc, input [31:0] instruction, input [63:0] result,
  input trap, input [63:0] cause, input trap_return, input wfi
);
  import "DPI-C" context function void blockzero_add_hart();
  import "DPI-C" function void blockzero_fault();
  export "DPI-C" function blockzero_hart;
  export "DPI-C" function blockzero_step;

  wire page_fault = cause == 64'd12 || cause == 64'd13 || cause == 64'd15;  // of a fetch, a load, a store

  reg [63:0] instructions;
  always @(posedge clock) begin
    if (reset) begin
      instructions <= 64'h0;
    end else begin
      instructions <= instructions + {63'h0, retire};
      if (trap && page_fault) blockzero_fault();
    end
  end

  function void blockzero_hart(output int number, output longint retired, output longint at, output bit waits);
    number = {30'h0, hart};
    retired = instructions;
    at = {{24{pc[39]}}, pc};
    waits = wfi;
  endfunction

  // What the write-back stage holds.
  function void blockzero_step(output int number, output bit retires, output longint at, output int code, output longint writes,
                               output bit traps, output bit trap_returns);
    number = {30'h0, hart};
    retires = retire;
    at = {{24{pc[39]}}, pc};
    code = instruction;
    writes = result;
    traps = trap;
    trap_returns = trap_return;
  endfunction

  initial blockzero_add_hart();
endmodule

bind Rocket HartProbe hart_probe(
  .clock(clock), .reset(reset), .hart(2'(io_hartid)), .retire(csr_io_retire), .pc(wb_reg_pc), .instruction(csr_io_inst_0),
  .result(wb_reg_wdata), .trap(csr_io_exception), .cause(csr_io_cause), .trap_return(csr_io_eret), .wfi(csr_io_status_wfi)
);

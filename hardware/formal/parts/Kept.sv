// SPDX-License-Identifier: BSD-3-Clause
// The rule of every AXI4 channel: what is offered stays until it is taken (AXI4 A3.2.1).
module Kept #(parameter N = 1) (
  input clock, reset, valid, ready, input [N-1:0] bits,
  output ok
);
  reg waits;
  reg [N-1:0] offered;
  always @(posedge clock) begin
    waits <= !reset && valid && !ready;
    offered <= bits;
  end
  assign ok = !waits || (valid && bits == offered);
endmodule

// Reset is high in the first cycle alone.
module ResetFirst (input clock, reset);
  reg started = 0;
  always @(posedge clock) started <= 1;
  always @* assume(reset == !started);
endmodule

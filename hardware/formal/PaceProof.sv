// SPDX-License-Identifier: BSD-3-Clause
// How often a channel may issue a block.
module PaceProof (
  input clock, reset,
  input page_write, input [8:0] register, input [63:0] data,  // a store to the channel's page
  input block_valid, issue,
  input waits, input [15:0] hold_off, rate,
  output ready  // a block is offered and may go
);
  reg [15:0] limit;  // RATE
  reg [15:0] bound;  // RATE when the channel last issued a block; 0: it did not yet
  reg [15:0] gap;    // cycles from then to this one, at least that many
  wire early = gap < bound;
  assign ready = block_valid && !early;
  always @(posedge clock)
    if (reset) {limit, bound, gap} <= 0;
    else begin
      if (page_write && register == 9'h009) limit <= data[15:0];
      if (issue) {bound, gap} <= {limit, 16'd1};
      else gap <= gap + (gap != 16'hffff);
    end

  always @* if (!reset) begin
    assert(!(issue && early));  // PROMISE from one block of a channel to its next are at least RATE cycles
    assert(rate == limit);
    assert(bound == 0 || gap != 0);
    assert(waits == early);
    assert(!early || hold_off == bound - gap);
    cover(block_valid && early);  // REACHED a block held back by RATE
  end
endmodule

// SPDX-License-Identifier: BSD-3-Clause
// A channel's interrupt, from what software wrote and the completions that it has not acknowledged.
module InterruptProof (
  input clock, reset,
  input page_write, input [8:0] register, input [63:0] data,  // a store to the channel's page
  input [31:0] count, input no_irq, spurious, irq,
  input pending, input [31:0] ack, input enable, input [15:0] threshold, input [31:0] timeout, age
);
  reg on; reg [15:0] least; reg [31:0] most, seen;  // IRQ_CONFIG and IRQ_ACK
  reg [31:0] since;  // cycles since the oldest completion that is not acknowledged, or the last store to one of the two
  reg due;
  wire config_write = page_write && register == 9'h007, ack_write = page_write && register == 9'h008;
  wire [31:0] fresh = count - seen;
  wire late = most != 0 && since >= most;
  always @(posedge clock)
    if (reset) {on, least, most, seen, since, due} <= 0;
    else begin
      if (config_write) {most, least, on} <= {data[63:32], data[23:8], data[0]};
      if (ack_write) seen <= data[31:0];
      since <= fresh == 0 || config_write || ack_write ? 0 : since + (since != 32'hffffffff);
      due <= on && fresh != 0 && (fresh >= least || late);
    end

  always @* if (!reset) begin
    assert(irq == (!no_irq && (spurious || due)));  // PROMISE an interrupt is raised exactly while it is due by THRESHOLD or TIMEOUT, one cycle later
    assert(pending == due);
    assert(ack == seen && enable == on && threshold == least && timeout == most);
    assert(!(on && most != 0) || age == (since < most ? since : most));
    assert(age <= timeout);
    cover(irq && !spurious && fresh < least);  // REACHED an interrupt by TIMEOUT
  end
endmodule

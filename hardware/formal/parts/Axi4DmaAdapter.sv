// SPDX-License-Identifier: BSD-3-Clause
// Blocks become AXI4 writes, each once and in order, whatever the engine and the bus do.
module Prove (
  input clock, reset,
  input block_valid, input [25:0] block, input [7:0] fill, input [3:0] slot,
  input aw_ready, w_ready, b_valid, input [7:0] b_id, input [1:0] b_resp
);
  wire block_ready, response_valid, aw_valid, w_valid, w_last, b_ready, aw_lock;
  wire [3:0] response_slot, response_code, aw_cache, aw_qos;
  wire [7:0] aw_id, aw_len, w_strb;
  wire [31:0] aw_addr;
  wire [2:0] aw_size, aw_prot;
  wire [1:0] aw_burst;
  wire [63:0] w_data;
  Axi4DmaAdapter dut(
    .clock(clock), .reset(reset), .io_block_ready(block_ready), .io_block_valid(block_valid), .io_block_bits_block(block), .io_block_bits_fill(fill),
    .io_block_bits_slot(slot), .io_response_valid(response_valid), .io_response_bits_slot(response_slot), .io_response_bits_code(response_code),
    .io_axi_aw_ready(aw_ready), .io_axi_aw_valid(aw_valid), .io_axi_aw_bits_id(aw_id), .io_axi_aw_bits_addr(aw_addr), .io_axi_aw_bits_len(aw_len),
    .io_axi_aw_bits_size(aw_size), .io_axi_aw_bits_burst(aw_burst), .io_axi_aw_bits_lock(aw_lock), .io_axi_aw_bits_cache(aw_cache),
    .io_axi_aw_bits_prot(aw_prot), .io_axi_aw_bits_qos(aw_qos), .io_axi_w_ready(w_ready), .io_axi_w_valid(w_valid), .io_axi_w_bits_data(w_data),
    .io_axi_w_bits_strb(w_strb), .io_axi_w_bits_last(w_last), .io_axi_b_ready(b_ready), .io_axi_b_valid(b_valid), .io_axi_b_bits_id(b_id),
    .io_axi_b_bits_resp(b_resp));
  (* hierconn *) wire [2:0] \dut.beat ;
  (* hierconn *) wire \dut.w.enq_ptr_value , \dut.w.deq_ptr_value , \dut.w.maybe_full ;
  (* hierconn *) wire [7:0] \dut.w.ram_ext.Memory[0] , \dut.w.ram_ext.Memory[1] ;

  ResetFirst first(.clock(clock), .reset(reset));
  // A response is for a slot of the engine's.
  always @* assume(!b_valid || b_id < 16);

  // This file's own account: blocks taken whose address, and whose data, are still to be sent.
  reg address_waits;
  reg [25:0] next_block;
  reg [3:0] next_slot;
  reg [1:0] bursts;        // at most two
  reg [7:0] fills [0:1];   // of the older one, and of the newer one
  reg [2:0] beats;         // of the older one that were taken
  wire take = block_valid && block_ready;
  wire sent = w_valid && w_ready && w_last;
  always @(posedge clock)
    if (reset) {address_waits, bursts, beats} <= 0;
    else begin
      if (take) {address_waits, next_block, next_slot} <= {1'b1, block, slot};
      else if (aw_valid && aw_ready) address_waits <= 0;
      bursts <= bursts + take - sent;
      if (sent) fills[0] <= bursts == 2 ? fills[1] : fill;
      else if (take && bursts == 0) fills[0] <= fill;
      if (take && bursts == 1 + sent) fills[1] <= fill;
      if (w_valid && w_ready) beats <= w_last ? 0 : beats + 1;
    end

  wire aw_kept, w_kept;
  Kept #(32 + 8 + 8 + 3 + 2) aw(.clock(clock), .reset(reset), .valid(aw_valid), .ready(aw_ready), .bits({aw_addr, aw_id, aw_len, aw_size, aw_burst}), .ok(aw_kept));
  Kept #(64 + 8 + 1) w(.clock(clock), .reset(reset), .valid(w_valid), .ready(w_ready), .bits({w_data, w_strb, w_last}), .ok(w_kept));

  always @* if (!reset) begin
    assert(aw_kept && w_kept);  // PROMISE what is offered on AW and W stays until it is taken
    assert(aw_valid == address_waits);  // PROMISE each block's address is sent once, in the order of blocks
    assert(!aw_valid || (aw_addr == {next_block, 6'd0} && aw_id == {4'd0, next_slot}));  // PROMISE an address is the block's, its ID the slot
    assert(aw_len == 7 && aw_size == 3 && aw_burst == 1 && !aw_lock);  // PROMISE a write is one INCR burst of 64 bytes
    assert(w_valid == (bursts != 0));  // PROMISE each block's data is sent once, in the order of blocks
    assert(!w_valid || (w_data == {8{fills[0]}} && w_strb == 8'hff));  // PROMISE data is the block's FILL in every byte
    assert(!w_valid || w_last == (beats == 7));  // PROMISE a burst has eight beats, and LAST is the eighth
    assert(b_ready && response_valid == b_valid);  // PROMISE each response is handed on at once
    assert(response_slot == b_id[3:0] && response_code == (b_resp == 0 ? 0 : b_resp == 3 ? 5 : 4));  // PROMISE OKAY is success, DECERR is DECERR, all else is SLVERR
    assert(bursts <= 2 && !(address_waits && bursts == 0 && beats != 0));
    assert(\dut.beat == beats && (bursts != 0 || beats == 0));
    assert(bursts == {\dut.w.maybe_full && \dut.w.enq_ptr_value == \dut.w.deq_ptr_value , \dut.w.enq_ptr_value != \dut.w.deq_ptr_value });
    assert(bursts == 0 || fills[0] == (\dut.w.deq_ptr_value ? \dut.w.ram_ext.Memory[1] : \dut.w.ram_ext.Memory[0] ));
    assert(bursts != 2 || fills[1] == (\dut.w.deq_ptr_value ? \dut.w.ram_ext.Memory[0] : \dut.w.ram_ext.Memory[1] ));
    cover(take && aw_valid && aw_ready && bursts == 1);  // REACHED the next block is taken as the address of the one before it leaves
    cover(sent && bursts == 2);  // REACHED a burst ends, and the next one waits
  end
endmodule

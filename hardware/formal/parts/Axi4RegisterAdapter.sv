// SPDX-License-Identifier: BSD-3-Clause
// An AXI4 manager's accesses reach the engine's registers as they should, whatever it sends, as long as it keeps AXI4's rules.
module Prove (
  input clock, reset,
  input aw_valid, input [3:0] aw_id, input [30:0] aw_addr, input [7:0] aw_len,
  input w_valid, input [63:0] w_data, input [7:0] w_strb, input w_last,
  input b_ready,
  input ar_valid, input [3:0] ar_id, input [30:0] ar_addr, input [7:0] ar_len,
  input r_ready, input [63:0] read_data
);
  wire aw_ready, w_ready, b_valid, ar_ready, r_valid, r_last, write_valid, read_valid;
  wire [3:0] b_id, r_id;
  wire [1:0] b_resp, r_resp;
  wire [63:0] r_data, write_data;
  wire [15:0] write_address, read_address;
  wire [7:0] write_mask;
  Axi4RegisterAdapter dut(
    .clock(clock), .reset(reset), .io_axi_aw_ready(aw_ready), .io_axi_aw_valid(aw_valid), .io_axi_aw_bits_id(aw_id), .io_axi_aw_bits_addr(aw_addr),
    .io_axi_aw_bits_len(aw_len), .io_axi_w_ready(w_ready), .io_axi_w_valid(w_valid), .io_axi_w_bits_data(w_data), .io_axi_w_bits_strb(w_strb),
    .io_axi_w_bits_last(w_last), .io_axi_b_ready(b_ready), .io_axi_b_valid(b_valid), .io_axi_b_bits_id(b_id), .io_axi_b_bits_resp(b_resp),
    .io_axi_ar_ready(ar_ready), .io_axi_ar_valid(ar_valid), .io_axi_ar_bits_id(ar_id), .io_axi_ar_bits_addr(ar_addr), .io_axi_ar_bits_len(ar_len),
    .io_axi_r_ready(r_ready), .io_axi_r_valid(r_valid), .io_axi_r_bits_id(r_id), .io_axi_r_bits_data(r_data), .io_axi_r_bits_resp(r_resp),
    .io_axi_r_bits_last(r_last), .io_registers_write_valid(write_valid), .io_registers_write_bits_address(write_address),
    .io_registers_write_bits_data(write_data), .io_registers_write_bits_mask(write_mask), .io_registers_read_valid(read_valid),
    .io_registers_read_bits(read_address), .io_registers_readData(read_data));
  (* hierconn *) wire \dut.bValid , \dut.swallow , \dut.asked , \dut.rValid ;
  (* hierconn *) wire [3:0] \dut.bBits_id , \dut.rBits_id ;
  (* hierconn *) wire [1:0] \dut.bBits_resp , \dut.rBits_resp ;
  (* hierconn *) wire [7:0] \dut.left ;
  (* hierconn *) wire [63:0] \dut.rBits_data ;

  ResetFirst first(.clock(clock), .reset(reset));
  wire aw_kept, w_kept, ar_kept, b_kept, r_kept;
  Kept #(4 + 31 + 8) aw(.clock(clock), .reset(reset), .valid(aw_valid), .ready(aw_ready), .bits({aw_id, aw_addr, aw_len}), .ok(aw_kept));
  Kept #(64 + 8 + 1) w(.clock(clock), .reset(reset), .valid(w_valid), .ready(w_ready), .bits({w_data, w_strb, w_last}), .ok(w_kept));
  Kept #(4 + 31 + 8) ar(.clock(clock), .reset(reset), .valid(ar_valid), .ready(ar_ready), .bits({ar_id, ar_addr, ar_len}), .ok(ar_kept));
  Kept #(4 + 2) b(.clock(clock), .reset(reset), .valid(b_valid), .ready(b_ready), .bits({b_id, b_resp}), .ok(b_kept));
  Kept #(4 + 64 + 2 + 1) r(.clock(clock), .reset(reset), .valid(r_valid), .ready(r_ready), .bits({r_id, r_data, r_resp, r_last}), .ok(r_kept));

  // This file's own account of the write and the read under way.
  reg writing, whole;         // its address was taken; its data, too
  reg [3:0] write_id;
  reg [7:0] write_len, beat;  // beats taken
  reg reading, asked;         // its address was taken; in the cycle before this one
  reg [3:0] read_id;
  reg [7:0] read_len, sent;   // beats sent
  reg [63:0] value;
  wire aw_fire = aw_valid && aw_ready, w_fire = w_valid && w_ready, b_fire = b_valid && b_ready;
  wire ar_fire = ar_valid && ar_ready, r_fire = r_valid && r_ready;
  always @(posedge clock)
    if (reset) {writing, whole, reading, asked} <= 0;
    else begin
      if (aw_fire) {writing, write_id, write_len} <= {1'b1, aw_id, aw_len};
      else if (b_fire) writing <= 0;
      if (aw_fire || w_fire) {whole, beat} <= {w_fire && w_last, aw_fire ? 8'd1 : beat + 8'd1};
      else if (b_fire) whole <= 0;
      if (ar_fire) {reading, read_id, read_len, sent} <= {1'b1, ar_id, ar_len, 8'd0};
      else if (r_fire) {reading, sent} <= {!r_last, sent + 8'd1};
      asked <= ar_fire;
      if (asked) value <= read_len == 0 ? read_data : 0;
    end

  always @* begin
    assume(aw_kept && w_kept && ar_kept);
    if (w_valid && aw_valid && (!writing || whole)) assume(w_last == (aw_len == 0));  // a burst's last beat is marked, and no other
    if (w_valid && writing && !whole) assume(w_last == (beat == write_len));
  end

  always @* if (!reset) begin
    assert(b_kept && r_kept);  // PROMISE what is offered on B and R stays until it is taken
    assert(aw_fire <= w_fire);  // PROMISE an address is taken with the first beat of its data
    assert(!aw_fire || !writing || b_fire);  // PROMISE one write goes on at a time
    assert(!w_fire || aw_fire || (writing && !whole));  // PROMISE data is taken with or after its own address
    assert(b_valid == (writing && whole));  // PROMISE a write is answered once, when its data is whole
    assert(!b_valid || (b_id == write_id && b_resp == (write_len == 0 ? 0 : 2)));  // PROMISE the answer has the write's ID: OKAY, or SLVERR for a burst
    assert(write_valid == (aw_fire && aw_len == 0));  // PROMISE a write of one beat is one store to a register, a burst is none
    assert(!write_valid || (write_address == aw_addr[15:0] && write_data == w_data && write_mask == w_strb));  // PROMISE a store has the write's address, data and strobes
    assert(read_valid == ar_fire && (!read_valid || read_address == ar_addr[15:0]));  // PROMISE each read asks a register once
    assert(!(read_valid && asked));  // PROMISE registers are read at most every second cycle
    assert(!ar_fire || !reading);  // PROMISE one read goes on at a time
    assert(r_valid == (reading && !asked));  // PROMISE a read is answered from the second cycle after it on
    assert(!r_valid || (r_id == read_id && r_data == value && r_resp == (read_len == 0 ? 0 : 2)));  // PROMISE an answer has the read's ID and the register's value, or SLVERR and zero for a burst
    assert(!r_valid || r_last == (sent == read_len));  // PROMISE a read of n beats is answered by n
    assert(\dut.bValid == (writing && whole) && \dut.swallow == (writing && !whole));
    assert(!writing || (\dut.bBits_id == write_id && \dut.bBits_resp == (write_len == 0 ? 0 : 2) && (whole || (write_len != 0 && beat <= write_len))));
    assert(!whole || writing);
    assert(\dut.asked == asked && \dut.rValid == (reading && !asked) && (!asked || (reading && sent == 0)));
    assert(!reading || (\dut.rBits_id == read_id && \dut.rBits_resp == (read_len == 0 ? 0 : 2) && sent <= read_len && \dut.left == read_len - sent));
    assert(!(reading && !asked) || \dut.rBits_data == value);
    cover(b_fire && b_resp == 2);  // REACHED a burst is refused
    cover(r_fire && r_last && sent == 2);  // REACHED a burst of reads is answered
    cover(b_fire && aw_fire);  // REACHED a write begins as the one before it is answered
  end
endmodule

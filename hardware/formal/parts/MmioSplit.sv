// SPDX-License-Identifier: BSD-3-Clause
// Each access goes to the one subordinate that its address names, with its own data, and its answer comes back: for any number
// of a manager's accesses, as long as manager and subordinates keep AXI4's rules.
module Prove (
  input clock, reset,
  input aw_valid, input [3:0] aw_id, input [30:0] aw_addr, input [7:0] aw_len,
  input w_valid, input [63:0] w_data, input [7:0] w_strb, input w_last,
  input b_ready,
  input ar_valid, input [3:0] ar_id, input [30:0] ar_addr, input [7:0] ar_len,
  input r_ready,
  // From the subordinates, inside and outside.
  input [1:0] s_aw_ready, s_w_ready, s_b_valid, s_ar_ready, s_r_valid, s_r_last,
  input [3:0] b_id_0, b_id_1, r_id_0, r_id_1, input [1:0] b_resp_0, b_resp_1, r_resp_0, r_resp_1, input [63:0] r_data_0, r_data_1
);
  wire aw_ready, w_ready, b_valid, ar_ready, r_valid, r_last;
  wire [3:0] b_id, r_id;
  wire [1:0] b_resp, r_resp, s_aw_valid, s_w_valid, s_b_ready, s_ar_valid, s_r_ready, s_w_last;
  wire [63:0] r_data, s_w_data_0, s_w_data_1;
  wire [3:0] s_aw_id_0, s_aw_id_1, s_ar_id_0, s_ar_id_1;
  wire [30:0] s_aw_addr_0, s_aw_addr_1, s_ar_addr_0, s_ar_addr_1;
  wire [7:0] s_aw_len_0, s_aw_len_1, s_ar_len_0, s_ar_len_1, s_w_strb_0, s_w_strb_1;
  MmioSplit dut(
    .clock(clock), .reset(reset),
    .io_in_aw_ready(aw_ready), .io_in_aw_valid(aw_valid), .io_in_aw_bits_id(aw_id), .io_in_aw_bits_addr(aw_addr), .io_in_aw_bits_len(aw_len),
    .io_in_w_ready(w_ready), .io_in_w_valid(w_valid), .io_in_w_bits_data(w_data), .io_in_w_bits_strb(w_strb), .io_in_w_bits_last(w_last),
    .io_in_b_ready(b_ready), .io_in_b_valid(b_valid), .io_in_b_bits_id(b_id), .io_in_b_bits_resp(b_resp),
    .io_in_ar_ready(ar_ready), .io_in_ar_valid(ar_valid), .io_in_ar_bits_id(ar_id), .io_in_ar_bits_addr(ar_addr), .io_in_ar_bits_len(ar_len),
    .io_in_r_ready(r_ready), .io_in_r_valid(r_valid), .io_in_r_bits_id(r_id), .io_in_r_bits_data(r_data), .io_in_r_bits_resp(r_resp), .io_in_r_bits_last(r_last),
    .io_inside_aw_ready(s_aw_ready[0]), .io_inside_aw_valid(s_aw_valid[0]), .io_inside_aw_bits_id(s_aw_id_0), .io_inside_aw_bits_addr(s_aw_addr_0),
    .io_inside_aw_bits_len(s_aw_len_0), .io_inside_w_ready(s_w_ready[0]), .io_inside_w_valid(s_w_valid[0]), .io_inside_w_bits_data(s_w_data_0),
    .io_inside_w_bits_strb(s_w_strb_0), .io_inside_w_bits_last(s_w_last[0]), .io_inside_b_ready(s_b_ready[0]), .io_inside_b_valid(s_b_valid[0]),
    .io_inside_b_bits_id(b_id_0), .io_inside_b_bits_resp(b_resp_0), .io_inside_ar_ready(s_ar_ready[0]), .io_inside_ar_valid(s_ar_valid[0]),
    .io_inside_ar_bits_id(s_ar_id_0), .io_inside_ar_bits_addr(s_ar_addr_0), .io_inside_ar_bits_len(s_ar_len_0), .io_inside_r_ready(s_r_ready[0]),
    .io_inside_r_valid(s_r_valid[0]), .io_inside_r_bits_id(r_id_0), .io_inside_r_bits_data(r_data_0), .io_inside_r_bits_resp(r_resp_0),
    .io_inside_r_bits_last(s_r_last[0]),
    .io_outside_aw_ready(s_aw_ready[1]), .io_outside_aw_valid(s_aw_valid[1]), .io_outside_aw_bits_id(s_aw_id_1), .io_outside_aw_bits_addr(s_aw_addr_1),
    .io_outside_aw_bits_len(s_aw_len_1), .io_outside_w_ready(s_w_ready[1]), .io_outside_w_valid(s_w_valid[1]), .io_outside_w_bits_data(s_w_data_1),
    .io_outside_w_bits_strb(s_w_strb_1), .io_outside_w_bits_last(s_w_last[1]), .io_outside_b_ready(s_b_ready[1]), .io_outside_b_valid(s_b_valid[1]),
    .io_outside_b_bits_id(b_id_1), .io_outside_b_bits_resp(b_resp_1), .io_outside_ar_ready(s_ar_ready[1]), .io_outside_ar_valid(s_ar_valid[1]),
    .io_outside_ar_bits_id(s_ar_id_1), .io_outside_ar_bits_addr(s_ar_addr_1), .io_outside_ar_bits_len(s_ar_len_1), .io_outside_r_ready(s_r_ready[1]),
    .io_outside_r_valid(s_r_valid[1]), .io_outside_r_bits_id(r_id_1), .io_outside_r_bits_data(r_data_1), .io_outside_r_bits_resp(r_resp_1),
    .io_outside_r_bits_last(s_r_last[1]));
  (* hierconn *) wire \dut.writing , \dut.reading , \dut.sent , \dut.sent_1 , \dut.dataSent ;
  (* hierconn *) wire [3:0] \dut.address_id , \dut.address_1_id ;
  (* hierconn *) wire [30:0] \dut.address_addr , \dut.address_1_addr ;
  (* hierconn *) wire [7:0] \dut.address_len , \dut.address_1_len ;

  ResetFirst first(.clock(clock), .reset(reset));

  // This file's own account of the one write and the one read that were let in, by the manager's ports and the subordinates'.
  reg writing, write_to, write_passed, write_whole;  // let in; where; its address is with the subordinate; its data, too
  reg [3:0] write_id;
  reg [30:0] write_addr;
  reg [7:0] write_len, beat;
  reg reading, read_to, read_passed;
  reg [3:0] read_id;
  reg [30:0] read_addr;
  reg [7:0] read_len, left;
  function outside(input [30:0] address); outside = address[30:16] != 15'h1300; endfunction
  wire aw_fire = aw_valid && aw_ready, w_fire = w_valid && w_ready, b_fire = b_valid && b_ready, ar_fire = ar_valid && ar_ready, r_fire = r_valid && r_ready;
  wire [1:0] s_aw_fire = s_aw_valid & s_aw_ready, s_w_fire = s_w_valid & s_w_ready, s_b_fire = s_b_valid & s_b_ready,
             s_ar_fire = s_ar_valid & s_ar_ready, s_r_fire = s_r_valid & s_r_ready;
  always @(posedge clock)
    if (reset) {writing, reading, write_passed, write_whole, read_passed} <= 0;
    else begin
      if (aw_fire) {writing, write_to, write_passed, write_whole, write_id, write_addr, write_len, beat} <=
                   {1'b1, outside(aw_addr), 2'b00, aw_id, aw_addr, aw_len, 8'd0};
      else begin
        if (b_fire) writing <= 0;
        if (s_aw_fire != 0) write_passed <= 1;
        if (w_fire) {write_whole, beat} <= {w_last, beat + 8'd1};
      end
      if (ar_fire) {reading, read_to, read_passed, read_id, read_addr, read_len, left} <= {1'b1, outside(ar_addr), 1'b0, ar_id, ar_addr, ar_len, ar_len};
      else begin
        if (r_fire) {reading, left} <= {!r_last, left - 8'd1};
        if (s_ar_fire != 0) read_passed <= 1;
      end
    end

  // The manager keeps what it offers, and marks the last beat of a burst. A subordinate keeps what it offers; it answers a write
  // that it has whole, and a read, with its ID and as many beats as were asked for. What is not under way it does not answer.
  wire aw_kept, w_kept, ar_kept, b_kept, r_kept;
  wire [1:0] s_aw_kept, s_w_kept, s_ar_kept, s_b_kept, s_r_kept;
  Kept #(43) aw(.clock(clock), .reset(reset), .valid(aw_valid), .ready(aw_ready), .bits({aw_id, aw_addr, aw_len}), .ok(aw_kept));
  Kept #(73) w(.clock(clock), .reset(reset), .valid(w_valid), .ready(w_ready), .bits({w_data, w_strb, w_last}), .ok(w_kept));
  Kept #(43) ar(.clock(clock), .reset(reset), .valid(ar_valid), .ready(ar_ready), .bits({ar_id, ar_addr, ar_len}), .ok(ar_kept));
  Kept #(6) b(.clock(clock), .reset(reset), .valid(b_valid), .ready(b_ready), .bits({b_id, b_resp}), .ok(b_kept));
  Kept #(71) r(.clock(clock), .reset(reset), .valid(r_valid), .ready(r_ready), .bits({r_id, r_data, r_resp, r_last}), .ok(r_kept));
  Kept #(43) aw0(.clock(clock), .reset(reset), .valid(s_aw_valid[0]), .ready(s_aw_ready[0]), .bits({s_aw_id_0, s_aw_addr_0, s_aw_len_0}), .ok(s_aw_kept[0]));
  Kept #(43) aw1(.clock(clock), .reset(reset), .valid(s_aw_valid[1]), .ready(s_aw_ready[1]), .bits({s_aw_id_1, s_aw_addr_1, s_aw_len_1}), .ok(s_aw_kept[1]));
  Kept #(73) w0(.clock(clock), .reset(reset), .valid(s_w_valid[0]), .ready(s_w_ready[0]), .bits({s_w_data_0, s_w_strb_0, s_w_last[0]}), .ok(s_w_kept[0]));
  Kept #(73) w1(.clock(clock), .reset(reset), .valid(s_w_valid[1]), .ready(s_w_ready[1]), .bits({s_w_data_1, s_w_strb_1, s_w_last[1]}), .ok(s_w_kept[1]));
  Kept #(43) ar0(.clock(clock), .reset(reset), .valid(s_ar_valid[0]), .ready(s_ar_ready[0]), .bits({s_ar_id_0, s_ar_addr_0, s_ar_len_0}), .ok(s_ar_kept[0]));
  Kept #(43) ar1(.clock(clock), .reset(reset), .valid(s_ar_valid[1]), .ready(s_ar_ready[1]), .bits({s_ar_id_1, s_ar_addr_1, s_ar_len_1}), .ok(s_ar_kept[1]));
  Kept #(6) b0(.clock(clock), .reset(reset), .valid(s_b_valid[0]), .ready(s_b_ready[0]), .bits({b_id_0, b_resp_0}), .ok(s_b_kept[0]));
  Kept #(6) b1(.clock(clock), .reset(reset), .valid(s_b_valid[1]), .ready(s_b_ready[1]), .bits({b_id_1, b_resp_1}), .ok(s_b_kept[1]));
  Kept #(71) r0(.clock(clock), .reset(reset), .valid(s_r_valid[0]), .ready(s_r_ready[0]), .bits({r_id_0, r_data_0, r_resp_0, s_r_last[0]}), .ok(s_r_kept[0]));
  Kept #(71) r1(.clock(clock), .reset(reset), .valid(s_r_valid[1]), .ready(s_r_ready[1]), .bits({r_id_1, r_data_1, r_resp_1, s_r_last[1]}), .ok(s_r_kept[1]));
  always @* begin
    assume(aw_kept && w_kept && ar_kept && &s_b_kept && &s_r_kept);
    if (w_valid && writing && !write_whole) assume(w_last == (beat == write_len));
    assume(!s_b_valid[0] || (writing && !write_to && write_passed && write_whole && b_id_0 == write_id));
    assume(!s_b_valid[1] || (writing && write_to && write_passed && write_whole && b_id_1 == write_id));
    assume(!s_r_valid[0] || (reading && !read_to && read_passed && r_id_0 == read_id && s_r_last[0] == (left == 0)));
    assume(!s_r_valid[1] || (reading && read_to && read_passed && r_id_1 == read_id && s_r_last[1] == (left == 0)));
  end

  always @* if (!reset) begin
    assert(b_kept && r_kept && &s_aw_kept && &s_w_kept && &s_ar_kept);  // PROMISE what is offered on any channel stays until it is taken
    assert(!aw_fire || !writing);  // PROMISE one write goes on at a time
    assert(!ar_fire || !reading);  // PROMISE one read goes on at a time
    assert(s_aw_valid == ({1'b0, writing && !write_passed} << write_to));  // PROMISE a write's address goes to the subordinate that it names, once, and to no other
    assert(!s_aw_valid[0] || {s_aw_id_0, s_aw_addr_0, s_aw_len_0} == {write_id, write_addr, write_len});  // PROMISE a write's address passes unchanged
    assert(!s_aw_valid[1] || {s_aw_id_1, s_aw_addr_1, s_aw_len_1} == {write_id, write_addr, write_len});  // PROMISE a write's address passes unchanged
    assert(s_w_valid == ({1'b0, w_valid && writing && !write_whole} << write_to));  // PROMISE a write's data goes where its address goes, and no other data does
    assert(!s_w_valid[0] || {s_w_data_0, s_w_strb_0, s_w_last[0]} == {w_data, w_strb, w_last});  // PROMISE data passes unchanged
    assert(!s_w_valid[1] || {s_w_data_1, s_w_strb_1, s_w_last[1]} == {w_data, w_strb, w_last});  // PROMISE data passes unchanged
    assert(w_fire == (s_w_fire != 0));  // PROMISE each beat is taken once, by the subordinate that it is for
    assert(b_fire == (s_b_fire != 0));  // PROMISE each answer to a write is handed on once
    assert(!b_valid || {b_id, b_resp} == (write_to ? {b_id_1, b_resp_1} : {b_id_0, b_resp_0}));  // PROMISE an answer is that of the subordinate that was asked
    assert(s_ar_valid == ({1'b0, reading && !read_passed} << read_to));  // PROMISE a read's address goes to the subordinate that it names, once, and to no other
    assert(!s_ar_valid[0] || {s_ar_id_0, s_ar_addr_0, s_ar_len_0} == {read_id, read_addr, read_len});  // PROMISE a read's address passes unchanged
    assert(!s_ar_valid[1] || {s_ar_id_1, s_ar_addr_1, s_ar_len_1} == {read_id, read_addr, read_len});  // PROMISE a read's address passes unchanged
    assert(r_fire == (s_r_fire != 0));  // PROMISE each beat of an answer to a read is handed on once
    assert(!r_valid || {r_id, r_data, r_resp, r_last} == (read_to ? {r_id_1, r_data_1, r_resp_1, s_r_last[1]} : {r_id_0, r_data_0, r_resp_0, s_r_last[0]}));  // PROMISE an answer is that of the subordinate that was asked
    assert(\dut.writing == writing && \dut.reading == reading);
    assert(!writing || (\dut.sent == write_passed && \dut.dataSent == write_whole && write_to == outside(write_addr) && (write_whole || beat <= write_len)));
    assert(!writing || {\dut.address_id , \dut.address_addr , \dut.address_len } == {write_id, write_addr, write_len});
    assert(!reading || (\dut.sent_1 == read_passed && read_to == outside(read_addr)));
    assert(!reading || {\dut.address_1_id , \dut.address_1_addr , \dut.address_1_len } == {read_id, read_addr, read_len});
    cover(b_fire && aw_valid && aw_id != write_id);  // REACHED a write waits that has another ID
    cover(s_w_fire[0] && !write_passed);  // REACHED the inside takes data before its address
    cover(r_fire && r_last && read_len == 2 && read_to);  // REACHED a burst is read outside
  end
endmodule

// SPDX-License-Identifier: BSD-3-Clause
// Writes travel at once, and each AXI ID gets their acknowledgements in its order, once each: whatever the order of the outer side's.
// A source is {ID (1 bit), count within the ID (2), is a write (1)}.
module Prove (
  input clock, reset,
  input in_a_valid, input [2:0] in_a_opcode, input [3:0] in_a_size, in_a_source, input [31:0] in_a_address, input [7:0] in_a_mask, input [63:0] in_a_data,
  input in_d_ready, out_a_ready,
  input out_d_valid, input [2:0] out_d_opcode, input [3:0] out_d_size, out_d_source, input out_d_denied, input [63:0] out_d_data, input out_d_corrupt
);
  wire in_a_ready, in_d_valid, in_d_denied, in_d_corrupt, out_a_valid, out_d_ready;
  wire [2:0] in_d_opcode, out_a_opcode;
  wire [3:0] in_d_size, in_d_source, out_a_size, out_a_source;
  wire [63:0] in_d_data, out_a_data;
  wire [31:0] out_a_address;
  wire [7:0] out_a_mask;
  RelaxedFifo dut(
    .clock(clock), .reset(reset), .auto_in_a_ready(in_a_ready), .auto_in_a_valid(in_a_valid), .auto_in_a_bits_opcode(in_a_opcode),
    .auto_in_a_bits_size(in_a_size), .auto_in_a_bits_source(in_a_source), .auto_in_a_bits_address(in_a_address), .auto_in_a_bits_mask(in_a_mask),
    .auto_in_a_bits_data(in_a_data), .auto_in_d_ready(in_d_ready), .auto_in_d_valid(in_d_valid), .auto_in_d_bits_opcode(in_d_opcode),
    .auto_in_d_bits_size(in_d_size), .auto_in_d_bits_source(in_d_source), .auto_in_d_bits_denied(in_d_denied), .auto_in_d_bits_data(in_d_data),
    .auto_in_d_bits_corrupt(in_d_corrupt), .auto_out_a_ready(out_a_ready), .auto_out_a_valid(out_a_valid), .auto_out_a_bits_opcode(out_a_opcode),
    .auto_out_a_bits_size(out_a_size), .auto_out_a_bits_source(out_a_source), .auto_out_a_bits_address(out_a_address), .auto_out_a_bits_mask(out_a_mask),
    .auto_out_a_bits_data(out_a_data), .auto_out_d_ready(out_d_ready), .auto_out_d_valid(out_d_valid), .auto_out_d_bits_opcode(out_d_opcode),
    .auto_out_d_bits_size(out_d_size), .auto_out_d_bits_source(out_d_source), .auto_out_d_bits_denied(out_d_denied), .auto_out_d_bits_data(out_d_data),
    .auto_out_d_bits_corrupt(out_d_corrupt));
  (* hierconn *) wire [15:0] \dut.inFlight ;
  (* hierconn *) wire [8:0] \dut.aFirst_left , \dut.dFirst_left ;
  (* hierconn *) wire \dut.pause ;
  (* hierconn *) wire [1:0] \dut.turn_0 , \dut.turn_1 , \dut.rowEnds_c_value ;
  (* hierconn *) wire \dut.acked_0 , \dut.acked_1 , \dut.acked_2 , \dut.acked_3 , \dut.acked_4 , \dut.acked_5 , \dut.acked_6 , \dut.acked_7 , \dut.acked_8 , \dut.acked_9 , \dut.acked_10 , \dut.acked_11 , \dut.acked_12 , \dut.acked_13 , \dut.acked_14 , \dut.acked_15 ;
  (* hierconn *) wire \dut.denied_0 , \dut.denied_1 , \dut.denied_2 , \dut.denied_3 , \dut.denied_4 , \dut.denied_5 , \dut.denied_6 , \dut.denied_7 , \dut.denied_8 , \dut.denied_9 , \dut.denied_10 , \dut.denied_11 , \dut.denied_12 , \dut.denied_13 , \dut.denied_14 , \dut.denied_15 ;
  (* hierconn *) wire [3:0] \dut.size_0 , \dut.size_1 , \dut.size_2 , \dut.size_3 , \dut.size_4 , \dut.size_5 , \dut.size_6 , \dut.size_7 , \dut.size_8 , \dut.size_9 , \dut.size_10 , \dut.size_11 , \dut.size_12 , \dut.size_13 , \dut.size_14 , \dut.size_15 ;
  wire [15:0] acked = {\dut.acked_15 , \dut.acked_14 , \dut.acked_13 , \dut.acked_12 , \dut.acked_11 , \dut.acked_10 , \dut.acked_9 , \dut.acked_8 , \dut.acked_7 , \dut.acked_6 , \dut.acked_5 , \dut.acked_4 , \dut.acked_3 , \dut.acked_2 , \dut.acked_1 , \dut.acked_0 };
  wire [15:0] denied = {\dut.denied_15 , \dut.denied_14 , \dut.denied_13 , \dut.denied_12 , \dut.denied_11 , \dut.denied_10 , \dut.denied_9 , \dut.denied_8 , \dut.denied_7 , \dut.denied_6 , \dut.denied_5 , \dut.denied_4 , \dut.denied_3 , \dut.denied_2 , \dut.denied_1 , \dut.denied_0 };
  wire [63:0] sizes = {\dut.size_15 , \dut.size_14 , \dut.size_13 , \dut.size_12 , \dut.size_11 , \dut.size_10 , \dut.size_9 , \dut.size_8 , \dut.size_7 , \dut.size_6 , \dut.size_5 , \dut.size_4 , \dut.size_3 , \dut.size_2 , \dut.size_1 , \dut.size_0 };

  ResetFirst first(.clock(clock), .reset(reset));

  // This file's own account.
  function [8:0] beats(input [3:0] size, input data); beats = data && size > 3 ? (9'd1 << (size - 3)) - 9'd1 : 9'd0; endfunction  // after the first
  reg [8:0] a_left, d_left, o_left;       // of the request, of the answer, and of the outer side's answer that are going on
  reg [2:0] a_opcode; reg [3:0] a_size, a_source, d_source, o_size, o_source;
  reg [15:0] flying, answered;            // by source: requested and not yet answered inside; and answered outside already
  reg [63:0] asked_size; reg [15:0] said_denied;
  reg [1:0] next_0, next_1, due_0, due_1; // of an ID's writes: the count that is requested next, and the one answered next
  reg [2:0] row;                          // requests without a pause before this cycle
  wire in_a = in_a_valid && in_a_ready, in_d = in_d_valid && in_d_ready, out_a = out_a_valid && out_a_ready, out_d = out_d_valid && out_d_ready;
  wire begins = in_a && a_left == 0, ends = in_d && d_left == 0;
  wire writes = in_a_source[0], acks = out_d && !out_d_opcode[0];
  wire [1:0] next = in_a_source[3] ? next_1 : next_0, due = in_d_source[3] ? due_1 : due_0;
  always @(posedge clock)
    if (reset) {a_left, d_left, o_left, flying, answered, next_0, next_1, due_0, due_1, row} <= 0;
    else begin
      if (in_a) a_left <= a_left == 0 ? beats(in_a_size, !in_a_opcode[2]) : a_left - 9'd1;
      if (in_d) d_left <= d_left == 0 ? beats(in_d_size, in_d_opcode[0]) : d_left - 9'd1;
      if (out_d) o_left <= o_left == 0 ? beats(out_d_size, out_d_opcode[0]) : o_left - 9'd1;
      if (begins) begin
        {a_opcode, a_size, a_source} <= {in_a_opcode, in_a_size, in_a_source};
        asked_size[4*in_a_source +: 4] <= in_a_size;
        if (writes && !in_a_source[3]) next_0 <= next_0 + 2'd1;
        if (writes && in_a_source[3]) next_1 <= next_1 + 2'd1;
      end
      if (ends) d_source <= in_d_source;
      if (out_d && o_left == 0) {o_size, o_source} <= {out_d_size, out_d_source};
      if (acks) said_denied[out_d_source] <= out_d_denied;
      flying <= (flying | (begins ? 16'd1 << in_a_source : 16'd0)) & ~(ends ? 16'd1 << in_d_source : 16'd0);
      answered <= (answered | (acks ? 16'd1 << out_d_source : 16'd0)) & ~(ends && in_d_source[0] ? 16'd1 << in_d_source : 16'd0);
      if (ends && in_d_source[0] && !in_d_source[3]) due_0 <= due_0 + 2'd1;
      if (ends && in_d_source[0] && in_d_source[3]) due_1 <= due_1 + 2'd1;
      row <= begins ? row + 3'd1 : a_left == 0 && row == 4 ? 3'd0 : row;
    end

  // Inside, AXI4ToTL: a message's beats are alike; sources of an ID's writes are counted up; a write's opcode is Put, a read's Get.
  // Outside: an answer is for a request under way, not answered yet, with its size; its beats come one after the other.
  always @* begin
    assume(in_a_size <= 6);
    assume(!in_a_valid || (writes ? in_a_opcode <= 1 : in_a_opcode == 4));
    assume(!in_a_valid || a_left != 0 || !writes || in_a_source[2:1] == next);
    assume(!in_a_valid || a_left == 0 || {in_a_opcode, in_a_size, in_a_source} == {a_opcode, a_size, a_source});
    assume(!out_d_valid || out_d_opcode == {2'b00, !out_d_source[0]});
    assume(!out_d_valid || o_left == 0 || {out_d_size, out_d_source} == {o_size, o_source});
    assume(!out_d_valid || o_left != 0 || (flying[out_d_source] && !answered[out_d_source] && out_d_size == asked_size[4*out_d_source +: 4]));
  end

  always @* if (!reset) begin
    assert(out_a == in_a);  // PROMISE each beat of a request passes once
    assert(!out_a || {out_a_opcode, out_a_size, out_a_source, out_a_address, out_a_mask, out_a_data} == {in_a_opcode, in_a_size, in_a_source, in_a_address, in_a_mask, in_a_data});  // PROMISE a request passes unchanged
    assert(!begins || !flying[in_a_source]);  // PROMISE a source has one request under way
    assert(!begins || writes || (flying & 16'h5555) == 0);  // PROMISE reads go one at a time
    assert(!ends || flying[in_d_source]);  // PROMISE an answer is for a request under way, once
    assert(!(ends && in_d_source[0]) || in_d_source[2:1] == due);  // PROMISE acknowledgements of an ID come in the order of its writes
    assert(!(ends && in_d_source[0]) || (answered[in_d_source] && in_d_opcode == 0 && in_d_size == asked_size[4*in_d_source +: 4] && in_d_denied == said_denied[in_d_source] && !in_d_corrupt));  // PROMISE an acknowledgement is what the outer side answered to that write
    assert(!(ends && !in_d_source[0]) || (out_d && {in_d_opcode, in_d_size, in_d_source, in_d_denied, in_d_corrupt, in_d_data} == {out_d_opcode, out_d_size, out_d_source, out_d_denied, out_d_corrupt, out_d_data}));  // PROMISE data passes at once, unchanged
    assert(!in_d || d_left == 0 || (in_d_source == d_source && in_d_opcode == 1));  // PROMISE nothing comes between the beats of an answer
    assert(!acks || !answered[out_d_source]);
    assert(!(begins && row == 4));  // PROMISE after four requests there is a pause
    assert(\dut.inFlight == flying && \dut.aFirst_left == a_left && \dut.dFirst_left == d_left && d_left == o_left);
    assert(acked == answered && (answered & ~flying & 16'haaaa) == 0 && (answered & 16'h5555) == 0);
    assert(\dut.turn_0 == due_0 && \dut.turn_1 == due_1);
    assert(d_left == 0 || (d_source == o_source && !d_source[0]));
    assert(row <= 4 && \dut.pause == (row == 4) && \dut.rowEnds_c_value == row[1:0]);
  end
  genvar n, id;
  generate for (id = 0; id < 2; id = id + 1) begin: ids
    wire [1:0] from = id ? due_1 : due_0, to = id ? next_1 : next_0;
    wire [3:0] mine = {flying[8*id + 7], flying[8*id + 5], flying[8*id + 3], flying[8*id + 1]};
    wire [1:0] count = to - from;
    for (n = 0; n < 4; n = n + 1) begin: at
      wire [1:0] age = n - from;
      always @* if (!reset) assert(mine[n] == (age < count) || (count == 0 && mine == 4'hf));
    end
    always @* if (!reset) assert(count != 0 || mine == 0 || mine == 4'hf);
  end
  for (n = 0; n < 16; n = n + 1) begin: sources
    always @* if (!reset) begin
      assert(!answered[n] || (sizes[4*n +: 4] == asked_size[4*n +: 4] && denied[n] == said_denied[n]));
      assert(!flying[n] || asked_size[4*n +: 4] <= 6);
    end
  end endgenerate
  always @* if (!reset) begin
    cover(acks && out_d_source == 4'b0101 && flying[1] && !answered[1]);  // REACHED a later write is acknowledged before an earlier one
    cover(ends && in_d_source == 4'b0101 && !in_d_denied);  // REACHED it waits for its turn, and gets it
  end
endmodule

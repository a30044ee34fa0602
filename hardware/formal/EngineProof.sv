// SPDX-License-Identifier: BSD-3-Clause
// What the engine promises as a whole, and what is assumed of its surroundings.
module EngineProof #(
  parameter C = 2,   // channels
  parameter D = 4,   // queue depth
  parameter S = 4,   // slots: blocks in flight
  parameter W = 2,   // windows
  parameter B = 26,  // bits of a block number
  parameter J = 2,   // bits of a job's place
  parameter Q = 3,   // bits of a number of blocks in flight
  parameter K = 1,   // bits of a channel's number
  parameter L = 2,   // bits of a slot's number
  parameter X = 4,   // bits of a counter's number
  parameter V = 1    // bits of a window's number
) (
  input clock, reset,
  // The engine's ports.
  input write_valid, input [15:0] write_address, input [63:0] write_data, input [7:0] write_mask,
  input read_valid,
  input block_valid, block_ready, input [B-1:0] block, input [L-1:0] slot,
  input response_valid, input [L-1:0] response_slot, input [3:0] response_code,
  // Inside it.
  input refuse, locked, read_before,
  input [W*58-1:0] inforce_base, inforce_limit, input [W-1:0] inforce_enable, enabled, has_base, has_limit,
  input [(W<2?2:W)*59-1:0] bases, limits,
  input [V-1:0] turn,
  input [S-1:0] busy, input [S*(B+J+K)-1:0] owners,
  input answer_valid, input [L-1:0] answer_slot, input [3:0] answer_code, input [B-1:0] answer_block, input [J-1:0] answer_job, input [K-1:0] answer_channel,
  input [C-1:0] issue, ready, input [C*J-1:0] issue_place, input [C-1:0] channel_answer,
  input [X-1:0] counter_turn, counter_updated, input [63:0] counter_old, input [$clog2(2*C*8+1)-1:0] counter_more, input counters_going,
  input [C*8-1:0] known, input [C*8*64-1:0] plain, sums, input [C*8*$clog2(2*C*8+1)-1:0] recent,
  // For the channels.
  output [C-1:0] page_write, submit, output [8:0] register, output [C*8-1:0] filling, output reg [W*58-1:0] base, limit, output reg [W-1:0] enable,
  output [C*D*Q-1:0] owned
);
  localparam R = $clog2(2*C*8+1);

  // Surroundings: reset in the first cycle alone; registers are read every second cycle at most; a response is OKAY, SLVERR
  // or DECERR, for a slot in flight. All else is free.
  reg started = 0;
  reg was_read = 0;
  reg [S-1:0] flying;
  always @(posedge clock) {started, was_read} <= {1'b1, read_valid && !reset};
  always @* begin
    assume(reset == !started);
    assume(!(read_valid && was_read));
    assume(!response_valid || (response_slot < S && flying[response_slot]));
    assume(response_code == 0 || response_code == 4 || response_code == 5);
  end

  // The register map, as far as it matters here.
  wire stored = write_valid && write_mask == 8'hff;
  assign register = write_address[11:3];
  wire global = stored && write_address[15:12] == 0;
  reg lock;
  genvar c, s, w, p, i;
  always @(posedge clock)
    if (reset) lock <= 0;
    else if (global && register == 9'h008 && write_data[0]) lock <= 1;
  generate for (w = 0; w < W; w = w + 1) begin: window
    always @(posedge clock)
      if (reset) begin
        base[w*58 +: 58] <= 0; limit[w*58 +: 58] <= 0; enable[w] <= 0;
      end else if (global && !lock) begin
        if (register == 9'h020 + 4*w) base[w*58 +: 58] <= write_data[63:6];
        if (register == 9'h021 + 4*w) limit[w*58 +: 58] <= write_data[63:6];
        if (register == 9'h022 + 4*w) enable[w] <= write_data[0];
      end
    wire [57:0] b = base[w*58 +: 58], l = limit[w*58 +: 58];
    always @* if (!reset) begin
      assert(inforce_base[w*58 +: 58] == b && inforce_limit[w*58 +: 58] == l && inforce_enable[w] == enable[w]);  // PROMISE windows are as they were written, and not at all once they are locked
      assert(enabled[w] == enable[w]);
      assert(has_base[w] ? bases[w*59 +: 59] == {b, (b >> B) != 0} : b == 0);
      assert(has_limit[w] ? limits[w*59 +: 59] == {l, (l >> B) != 0} : l == 0);
    end
  end endgenerate
  always @* if (!reset) begin
    assert(locked == lock);  // PROMISE a lock lasts until reset
    assert(turn < W);
    assert(read_before == was_read);
  end

  // A block in bytes, and the windows that it lies in.
  wire [63:0] block_first = {block, 6'd0}, block_last = {block, 6'h3f};
  wire [W-1:0] in;
  generate for (w = 0; w < W; w = w + 1)
    assign in[w] = enable[w] && block_first >= {base[w*58 +: 58], 6'd0} && block_last <= {limit[w*58 +: 58], 6'h3f};
  endgenerate
  always @* if (!reset) assert(!block_valid || |in);  // PROMISE each block is inside a window in force

  // Slots, and who owns them.
  wire fire = block_valid && block_ready;
  reg answers; reg [L-1:0] answers_slot; reg [3:0] answers_code; reg [B+J+K-1:0] answers_owner;
  wire [B+J+K-1:0] owner [0:S-1];
  wire [B+J+K-1:0] new_owner;
  wire [C*J-1:0] places;
  wire [C*K-1:0] numbers;
  generate for (c = 1; c < C; c = c + 1) begin: after
    always @* if (!reset) assert(!(issue[c] && |ready[c-1:0]));  // PROMISE a block of a channel goes only if no more urgent one may
  end endgenerate
  generate for (c = 0; c < C; c = c + 1) begin: from
    assign places[c*J +: J]  = (c == 0 ? 0 : places[(c == 0 ? 0 : c-1)*J +: J]) | (issue[c] ? issue_place[c*J +: J] : 0);
    assign numbers[c*K +: K] = (c == 0 ? 0 : numbers[(c == 0 ? 0 : c-1)*K +: K]) | (issue[c] ? c : 0);
  end endgenerate
  assign new_owner = {block, places[(C-1)*J +: J], numbers[(C-1)*K +: K]};
  wire [S*(B+J+K)-1:0] owner_bits;
  generate for (s = 0; s < S; s = s + 1) begin: slots
    reg [B+J+K-1:0] mine;
    assign owner_bits[s*(B+J+K) +: B+J+K] = mine;
    always @(posedge clock) begin
      flying[s] <= !reset && ((flying[s] && !(response_valid && response_slot == s)) || (fire && slot == s));
      if (fire && slot == s) mine <= new_owner;
    end
    always @* if (!reset) begin
      assert(!(fire && slot == s && flying[s]));  // PROMISE a slot in flight is not given again
      assert(busy[s] == flying[s]);
      assert(!flying[s] || owners[s*(B+J+K) +: B+J+K] == mine);
    end
  end endgenerate
  wire [B+J+K-1:0] response_owner = owner_bits >> (response_slot * (B+J+K));
  always @(posedge clock) begin
    answers <= !reset && response_valid;
    {answers_slot, answers_code, answers_owner} <= {response_slot, response_code, response_owner};
  end
  wire [B+J+K-1:0] kept_owner = owners >> (answers_slot * (B+J+K));
  wire [K-1:0] answers_channel = answers_owner[K-1:0];
  always @* if (!reset) begin
    assert(!fire || slot < S);  // PROMISE a block has a slot that exists
    assert((issue & (issue - 1'b1)) == 0 && fire == |issue);  // PROMISE a block is issued for one channel at a time
    assert(answer_valid == answers);  // PROMISE each response is handed on, once
    assert(!answers || {answer_block, answer_job, answer_channel} == answers_owner);  // PROMISE an answer reaches the job that issued the block
    assert(!answers || answer_code == answers_code);  // PROMISE an answer has the code of its response
    assert(channel_answer == (answers ? 1'b1 << answers_channel : 0));  // PROMISE an answer reaches no other channel
    assert(!answers || (answers_slot == answer_slot && answers_slot < S && kept_owner == answers_owner && answers_channel < C));
  end
  generate for (c = 0; c < C; c = c + 1) begin: owns
    for (p = 0; p < D; p = p + 1) begin: job
      wire [(S+1)*Q-1:0] sum;
      assign sum[0 +: Q] = answers && answers_owner[J+K-1:0] == {p[J-1:0], c[K-1:0]};
      for (s = 0; s < S; s = s + 1)
        assign sum[(s+1)*Q +: Q] = sum[s*Q +: Q] + (flying[s] && owner_bits[s*(B+J+K) +: J+K] == {p[J-1:0], c[K-1:0]});
      assign owned[(c*D+p)*Q +: Q] = sum[S*Q +: Q];
    end
    assign page_write[c] = stored && write_address[15:12] == c + 1;
    reg [7:0] byte_;
    assign submit[c] = page_write[c] && register == 9'h000;
    assign filling[c*8 +: 8] = byte_;
    always @(posedge clock) if (reset) byte_ <= 0; else if (page_write[c] && register == 9'h001) byte_ <= write_data[7:0];
  end endgenerate
  wire [S-1:0] owned_by_some;
  generate for (s = 0; s < S; s = s + 1) begin: owned_slot
    always @* if (!reset) assert(!flying[s] || owner_bits[s*(B+J+K) +: K] < C);
  end endgenerate
  // An answer on its way has left its slot: were all S slots in flight then, Q bits might not count both.
  generate if (S + 2 > (1 << Q)) always @* if (!reset) assert(!(answers && &flying)); endgenerate

  // The counters: each is what it says, wherever its parts are.
  generate for (i = 0; i < C*8; i = i + 1) begin: counter
    wire [63:0] settled = counters_going && counter_updated == i ? counter_old + counter_more : known[i] ? sums[i*64 +: 64] : 0;
    wire [X:0] since = ((counter_turn + C*8 - i - 1) % (C*8)) + 1;
    always @* if (!reset) begin
      assert(plain[i*64 +: 64] == settled + recent[i*R +: R]);  // PROMISE no counter loses or invents an event
      assert(recent[i*R +: R] <= 2*since - 1 + was_read);
    end
  end endgenerate
  always @* if (!reset) assert(counter_turn < C*8 && (!counters_going || known[counter_updated]));
endmodule

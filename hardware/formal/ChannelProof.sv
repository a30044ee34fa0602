// SPDX-License-Identifier: BSD-3-Clause
// What a channel promises, and the invariants that make its promises provable by induction over one cycle.
//
// A job is followed by its place in the queue. `word` to `moved` are this file's own account of it; everything named like
// something in JobQueue or Ledger is read there.
module ChannelProof #(
  parameter D = 4,   // queue depth
  parameter W = 2,   // windows
  parameter B = 26,  // bits of a block number
  parameter Q = 3    // bits of `sent`
) (
  input clock, reset,
  input submit, input [63:0] data, input refuse, input [7:0] filling, filler_kept, input changes,
  input [W*58-1:0] base, limit, input [W-1:0] enable,
  input aborting, dropped, input [31:0] count,
  input [$clog2(D)-1:0] tail, look, place, head, answer_job,
  input [$clog2(D+1)-1:0] held, queued, closed,
  input active, pending, stopped, passed, changed, fails, block_valid, block_ready, answer_valid, finished,
  input [B-1:0] block, block_bits, input [23:0] last, input [7:0] fill, fill_bits, input [3:0] code, answer_code, finished_code,
  input [63:0] finished_where,
  input [Q-1:0] sent, input [$clog2(W+1)-1:0] left,
  input [D*Q-1:0] flying, input [D*100-1:0] jobs, input [D*64-1:0] words, input [D*Q-1:0] answers,
  input [D*($clog2(D)+Q+4)-1:0] closings, input [D*(B+$clog2(D)+2)-1:0] faults,
  input [D*Q-1:0] owned  // slots in flight and answers on their way, by place
);
  localparam J = $clog2(D), H = $clog2(D + 1), N = 24;
  localparam NONE = 0, BAD_SIZE = 1, MISALIGNED = 2, WINDOW = 3, SLVERR = 4, DECERR = 5, ABORTED = 6, REFUSED = 7;

  wire issue   = block_valid && block_ready;
  wire accept  = submit && !aborting && held != D;
  wire busy    = held != 0 || aborting;
  wire [J-1:0] open_place = head + closed;  // of the active job, or the next one to be
  wire [J-1:0] tail_place = head + held;

  // Counts of this file's own.
  reg [31:0] submits, completions, drops, ok, rejected, bus, aborted;
  always @(posedge clock)
    if (reset) {submits, completions, drops, ok, rejected, bus, aborted} <= 0;
    else begin
      submits     <= submits + submit;
      completions <= completions + finished;
      drops       <= drops + (submit && !accept);
      ok          <= ok + (finished && finished_code == NONE);
      rejected    <= rejected + (finished && (finished_code == BAD_SIZE || finished_code == MISALIGNED || finished_code == WINDOW || finished_code == REFUSED));
      bus         <= bus + (finished && (finished_code == SLVERR || finished_code == DECERR));
      aborted     <= aborted + (finished && finished_code == ABORTED);
    end

  always @* if (!reset) begin
    assert(submits == count + held + drops);  // PROMISE each SUBMIT is counted once: completed, held or dropped
    assert(count == completions);  // PROMISE COUNT is the number of jobs that finished
    assert(count == ok + rejected + bus + aborted);  // PROMISE the outcomes add up to COUNT
    assert(dropped == (submit && !accept));  // PROMISE a SUBMIT is dropped exactly if the queue is full or ABORT lasts
    assert(!(aborting && block_valid));  // PROMISE nothing is issued during ABORT
    assert(busy || !block_valid);  // PROMISE nothing is issued by an idle channel
    assert(busy || owned == 0);  // PROMISE nothing is in flight when a channel is idle, so also after ABORT
    assert(head == count[J-1:0]);
    assert(tail == tail_place);
    assert(held <= D && queued <= held && closed <= held);
    assert({1'b0, closed} + queued + active == {1'b0, held});
    assert(!active || place == open_place);
    assert(!pending || active);
    assert(!(active && !pending) || look == place + 1'b1);
    assert(!pending || look == place || (changed && look == place + 1'b1));
    assert(active || look == open_place);
    assert(left <= W && !(changed && (passed || left != W)));
    assert(!passed || pending || queued != 0);
    assert(filler_kept == filling);
  end

  // What must be possible, or the assumptions contradict each other.
  always @* if (!reset) begin
    cover(finished && finished_code == NONE && owned == 0);  // REACHED a job is OK
    cover(finished && finished_code == DECERR);  // REACHED a job fails by DECERR
    cover(finished && finished_code == WINDOW);  // REACHED a job fails by WINDOW
    cover(finished && finished_code == ABORTED);  // REACHED a job is aborted
    cover(submit && held == D);  // REACHED a SUBMIT to a full queue
    cover(aborting && owned != 0);  // REACHED ABORT with blocks in flight
  end

  genvar p, w;
  generate for (p = 0; p < D; p = p + 1) begin: at
    reg [63:0] word;    // SUBMIT
    reg [7:0]  filler;  // FILL at that time
    reg        refused; // TEST.REFUSE was set
    reg [N:0]  issued;  // blocks
    reg        bad;     // one of its blocks failed
    reg        moved;   // windows changed after its first block
    wire here   = issue && place == p;
    wire answer = answer_valid && answer_job == p;
    wire [J-1:0] age = p - head;
    wire isHeld   = age < held;
    wire isClosed = age < closed;
    wire isActive = active && age == closed;
    wire isQueued = isHeld && !isClosed && !isActive;
    always @(posedge clock)
      if (accept && tail == p) begin
        word <= data; filler <= filling; refused <= refuse; issued <= 0; bad <= 0; moved <= 0;
      end else begin
        issued <= issued + here;
        if ((answer && answer_code != NONE) || (fails && place == p)) bad <= 1;
        if (changes && isActive && (issued != 0 || here)) moved <= 1;
      end

    // What its word says.
    wire [5:0]   log2  = word[5:0];
    wire [57:0]  first = word[63:6];
    wire [N-1:0] mask  = log2 < 6 ? 0 : log2 > 30 ? {N{1'b1}} : (25'd1 << (log2 - 6)) - 1;
    wire [N:0]   size  = mask + 25'd1;
    wire [3:0]   verdict = refused ? REFUSED : log2 < 6 || log2 > 30 ? BAD_SIZE : (first & mask) != 0 ? MISALIGNED :
                           (first >> B) != 0 ? WINDOW : NONE;
    wire [57:0] end_block = first | mask;
    wire [W-1:0] in;
    for (w = 0; w < W; w = w + 1) assign in[w] = enable[w] && first >= base[w*58 +: 58] && end_block <= limit[w*58 +: 58];
    wire inside = |in;

    wire [99:0] job = jobs[p*100 +: 100];
    wire [J+Q+3:0] closing = closings[p*(J+Q+4) +: J+Q+4];
    wire [3:0] closing_code = closing[3:0];
    wire [Q-1:0] flown = flying[p*Q +: Q];
    wire [Q-1:0] answered = answers[p*Q +: Q];
    wire ends = finished && head == p;
    wire rejects = closing_code != NONE && closing_code != ABORTED;

    always @* if (!reset) begin
      assert(!(here && isActive) || (block_bits == first[B-1:0] + issued && issued < size));  // PROMISE the n-th block issued for a job is the n-th of its region
      assert(!here || isActive);  // PROMISE a block belongs to the job whose turn it is
      assert(!(here && isActive) || fill_bits == filler);  // PROMISE a job writes FILL as it was at SUBMIT
      assert(!here || inside);  // PROMISE the whole job is inside one window in force when it issues a block
      assert(!here || verdict == NONE);  // PROMISE a refused job writes nothing
      assert(!answer || flown != 0);  // PROMISE an answer is for a job with blocks in flight
      assert(!ends || isClosed);  // PROMISE jobs complete in order, each once
      assert(!ends || owned[p*Q +: Q] == 0);  // PROMISE a job completes when all its blocks are answered
      assert(!(ends && finished_code == NONE) || (issued == size && !bad && verdict == NONE));  // PROMISE a job that is OK wrote every block, all answered OKAY
      assert(!(ends && (finished_code == SLVERR || finished_code == DECERR)) || bad);  // PROMISE a bus error is reported only if there was one
      assert(!(ends && finished_code == ABORTED) || aborting);  // PROMISE a job is aborted only during ABORT
      assert(!(ends && (finished_code == BAD_SIZE || finished_code == MISALIGNED || finished_code == REFUSED)) || (issued == 0 && finished_code == verdict));  // PROMISE a job with BAD_SIZE, MISALIGNED or REFUSED wrote nothing
      assert(!(ends && finished_code == WINDOW) || issued == 0 || moved);  // PROMISE a job with WINDOW wrote nothing, unless windows changed after its first block
      assert(!(ends && finished_code != SLVERR && finished_code != DECERR) || finished_where == word);  // PROMISE the error's address is the job's SUBMIT
      assert(!isHeld || job == {word, first[N-1:0] | mask, filler, verdict});
      assert(!isHeld || words[p*64 +: 64] == word);
      assert(flown == owned[p*Q +: Q]);
      assert(isHeld || flown == 0);
      assert(!isHeld || verdict == NONE || (flown == 0 && !bad));
      assert(!isQueued || (flown == 0 && issued == 0 && !bad && !moved));
      assert(!isActive || sent == answered + flown);
      assert(!isClosed || closing[4 +: Q] == answered + flown);
      assert(!(isActive || isClosed) || faults[p*(B+J+2) + B+J+1] == bad);
      assert(!isActive || (issued < size && block == first[B-1:0] + issued));
      assert(!isActive || (last == (first[N-1:0] | mask) && fill == filler));
      assert(!(isActive && verdict != NONE) || (code == verdict && issued == 0));
      assert(!(isActive && code != NONE) || code == verdict || (code == WINDOW && (issued == 0 || moved)));
      assert(!(isActive && pending) || issued == 0 || moved);
      assert(!(isActive && !pending && code == NONE) || (inside && verdict == NONE));
      assert(!(isActive && stopped) || bad);
      assert(!(passed && look == p && (isQueued || (isActive && pending)) && verdict == NONE) || inside);
      assert(!(isClosed && closing_code == NONE) || (verdict == NONE && (bad || issued == size)));
      assert(!(isClosed && closing_code == ABORTED) || aborting);
      assert(!(isClosed && rejects) || (closing_code == verdict && issued == 0) || (closing_code == WINDOW && (issued == 0 || moved)));
    end
  end endgenerate
endmodule

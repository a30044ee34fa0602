// SPDX-License-Identifier: BSD-3-Clause
// Tells the simulator of every job that a channel of the engine takes.
module JobProbe(input clock, input reset, input submit);
  import "DPI-C" function void blockzero_job();

  always @(posedge clock) if (!reset && submit) blockzero_job();
endmodule

bind JobQueue JobProbe job_probe(.clock(clock), .reset(reset), .submit(io_submit_valid));

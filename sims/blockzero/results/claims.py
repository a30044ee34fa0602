# SPDX-License-Identifier: BSD-3-Clause
"""The figures that earlier proposals published, as they printed them. seeds.py puts ours beside them."""

# Lameter, "Prezeroing V3 [0/4]: Discussion and i386 performance tests", linux-kernel, January 2005. Two Pentium III of 450 MHz, 256 MiB at a time.
# (patch, Rep, Threads): User, System and Wall in seconds, flt/cpu/s, fault/wsec. The kernel without patches is stock's, the other kscrubd's on the CPU.
LAMETER = {
    ("stock", 1, 1): (0.006, 0.389, 0.039, 157455.320, 157070.694),
    ("stock", 1, 2): (0.007, 0.607, 0.032, 101476.689, 190350.885),
    ("cpu", 1, 1): (0.008, 0.083, 0.009, 672151.422, 664045.899),
    ("cpu", 1, 2): (0.005, 0.129, 0.008, 459629.796, 741857.373),
    ("stock", 10, 1): (0.058, 3.913, 3.097, 157335.774, 157076.932),
    ("stock", 10, 2): (0.063, 6.139, 3.027, 100756.788, 190572.486),
    ("cpu", 10, 1): (0.059, 1.828, 1.089, 330913.517, 330225.515),
    ("cpu", 10, 2): (0.082, 1.951, 1.094, 307172.100, 320680.232),
}
# The same message, on an Altix with the patch: cache lines of 128 bytes touched in pages of 16 KiB; fault/wsec.
LAMETER_LINES = {1: 497925.891, 2: 472877.725, 4: 471507.415, 8: 416725.013, 16: 336983.834, 32: 256246.731, 64: 168189.283, 128: 101674.435}

# Lu, commit d8a759b57035 ("mm, page_alloc: double zone's batchsize"), 2018: will-it-scale/page_fault1.
# {machine: {batch: (change of the score in percent, zone->lock contention, LRU lock contention in percent)}}
LU = {
    "Skylake-EX": {31: (0.0, 64, 8), 63: (17.25, 24, 45), 127: (17.48, 3, 66), 255: (18.07, 2, 67)},
    "Skylake-EP": {31: (0.0, 66, 3), 63: (4.45, 62, 4), 127: (8.24, 42, 19), 255: (8.08, 28, 29)},
    "Haswell-EP": {31: (0.0, 14, 48), 63: (0.09, 6, 57), 127: (-0.10, 3, 59), 255: (0.36, 2, 61)},
}

# Gorman, "Re: [PATCH 20/20] Get rid of the concept of hot/cold page freeing", linux-kernel, February 2009: a file is written and truncated.
# {bytes: seconds with and without the difference between hot and cold pages}
GORMAN = {
    64: (0.216033, 0.558803), 128: (0.158551, 0.150673), 256: (0.153240, 0.153488), 512: (0.156502, 0.158769), 1024: (0.162146, 0.163302),
    2048: (0.167001, 0.169573), 4096: (0.175376, 0.178882), 8192: (0.237618, 0.243385), 16384: (0.735053, 0.351040), 32768: (0.524731, 0.583863),
    65536: (1.149310, 1.227855), 131072: (2.160248, 2.084981), 262144: (3.858264, 4.046389), 524288: (8.228358, 8.259957), 1048576: (16.228190, 16.288308),
}

# Pusukuri, "RFC: using worker threadpool to speed up clear_huge_page() by up to 5x", linux-kernel, July 2016: milliseconds for 2 GiB on a Sparc M7.
PUSUKURI = {0: 320, 2: 166, 4: 87, 8: 70, 16: 65, 32: 66, 64: 66}
PUSUKURI_COW, PUSUKURI_START = 20, 2.5  # times as fast: copy-on-write of huge pages; start of a database with hundreds of them

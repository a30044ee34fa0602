# SPDX-License-Identifier: BSD-3-Clause
# The front door: every target hands over to sims/bz, which sets up whatever is missing.

.DEFAULT_GOAL := all
.PHONY: all setup rtl sim linux linux-elf linux-tree linux-series boot run profile wave bench sweep show compare report publish registers area prove bare baremetal chipyard-link chipyard-unlink chipyard-faults test stress test-chipyard tile litex-sim firesim firesim-results clean distclean help

export CONFIG PORT VARIANT RAM READ_LATENCY WRITE_LATENCY BANDWIDTH CHANNELS QUEUE INFLIGHT WINDOWS SEED TEST IMAGES CHIPYARD SIM SIM_FLAGS TESTS RUN FILES MODULE MODES AT SET OVER DRY_RUN SNAKEMAKE A B RESULTS TARGET MINUTES

all setup rtl sim linux linux-elf linux-tree linux-series boot run profile wave bench sweep show compare report publish registers area prove bare baremetal chipyard-link chipyard-unlink chipyard-faults test stress test-chipyard tile litex-sim firesim firesim-results:
	@sims/bz $@

clean:
	rm -rf build/log build/state build/report.*

# Not what people made: their kernel tree and their results.
distclean:
	test ! -d build || find build -mindepth 1 -maxdepth 1 ! -name linux-tree ! -name runs ! -name results -exec rm -rf {} +
	rm -rf hardware/target hardware/project/target hardware/project/project

help:
	@echo 'BlockZero: hardware page zeroing for RISC-V Linux, in Verilator'
	@echo
	@echo '  make               everything: set up, build, boot, compare fault rates, show the table (20 min the first time, then 5)'
	@echo '  make test          everything that proves it right (40 min); TEST=contract, or "checked-*", that alone'
	@echo
	@echo 'Questions. Runs go side by side, each from a saved state; what was stopped goes on when asked again:'
	@echo "  make run RUN='COMMAND' FILES=PATH  a program of your own on the SoC, with the files it needs in /root; MODES=stock,engine runs it in"
	@echo '                     each and shows the ratio; MODULE=FOLDER builds its kernel modules into /root (5 min the first time, for the boot)'
	@echo "  make profile RUN='COMMAND'         where its cycles go, kernel and program: a table by function and a flame graph (as make run)"
	@echo "  make wave RUN='COMMAND' AT='job 10'    a waveform around the 10th job of the engine, or AT='fault 7', for GTKWave and Surfer"
	@echo '                     (12 min the first time)'
	@echo '  make bench SET=NAME    a set of runs: faults (all sizes, the default; 10 min), cycles (where those of a fault go; 3 min), read-latency,'
	@echo '                     write-latency and inflight (curves; 25 min each), rivals (huge pages on four cores; 25 min), layouts (where the'
	@echo '                     code of the kernel lies; 100 min), seeds (the tables of earlier proposals; 70 min), or a file of'
	@echo '                     your own like those in sims/sets; DRY_RUN=1 says how long'
	@echo "  make sweep OVER='READ_LATENCY=10,30,60 PORT=ordered,relaxed' SET=table     the same over choices: table and curves (10 min a point)"
	@echo '  make compare A=DIR B=DIR   what differs between two results, and whether it exceeds their spread (1 s)'
	@echo '  make show RESULTS=DIR      a result once more, on the terminal (1 s)'
	@echo
	@echo 'Parts (each builds what it needs, and only what has changed):'
	@echo '  make setup         Debian packages, Verilator, Rocket, sbt (2 min)'
	@echo '  make rtl           SystemVerilog from Chisel (2 min)'
	@echo '  make sim           the simulator (2 min)'
	@echo '  make linux         the kernel with our series (2 min)'
	@echo '  make boot          a shell on the simulated SoC; Ctrl-A x leaves it (3 min the first time, then 3 s)'
	@echo '  make boot IMAGES=DIR    the same of an image from Buildroot: docs/buildroot.md'
	@echo '  make report        all published results, or RESULTS="DIR ...", as one HTML page: build/report.html (10 s)'
	@echo '  make stress        kscrubd on four harts in QEMU, with KUnit, lockdep and load, for MINUTES=2; what mixed load does to'
	@echo '                     huge pages, with kscrubd and without, as long each; part A of the series alone, and A with B (15 min the first time)'
	@echo '  make publish RESULTS="DIR ..."     makes the results of these runs those in docs/results'
	@echo '  make area          what the tile takes on FPGAs, and its clock: a table over parameters, and Rocket beside it (20 min; installs Yosys and nextpnr)'
	@echo '  make prove         what the engine promises, proven on its RTL: windows, locks, slots, jobs, ABORT (6 min; installs Yosys and bitwuzla)'
	@echo '  make registers     C header and docs page, from the register description; the timing diagram, from a run'
	@echo '  make linux-tree    a git tree of the kernel with the series applied, in build/linux-tree'
	@echo '  make linux-series  writes linux-patches/ from that tree'
	@echo '  make chipyard-link CHIPYARD=DIR    the generator into your Chipyard, by links; make chipyard-unlink takes it out'
	@echo '  make bare TESTS="contract ..."     bare-metal tests on the simulated SoC; harts with CONFIG=LitexFull4DConfig for races of four harts (1 min each)'
	@echo '  make baremetal     the bare-metal tests as ELF files, for this and other SoCs'
	@echo '  make linux-elf     OpenSBI, Linux and its files as one ELF file for Chipyard and FireSim; RUN="COMMAND" is what it runs (faults)'
	@echo '  make test-chipyard SIM=SIMULATOR   every clock crossing and all bare-metal tests (or TESTS="contract ...") on a simulator that you built in your Chipyard'
	@echo '  make chipyard-faults SIM=SIMULATOR Linux on a simulator of LinuxRocketBlockZeroConfig: fault rates in every mode, or in MODES=stock,engine,'
	@echo '                     a run for each, side by side (20 min a mode); CONFIG=LitexFull4DConfig for a kernel of four cores'
	@echo '  make tile          the tile alone, in one file of Verilog, for systems of your own (1 min)'
	@echo '  make litex-sim     the tile beside Rocket in LiteX: simulator, BIOS, and the bare-metal test contract, or TESTS="memory ..." (5 min a test; installs LiteX)'
	@echo '  make firesim CHIPYARD=DIR          workloads for the FireSim in your Chipyard (6 min); make firesim-results RESULTS=DIR: their tables (and with TARGET=RECIPE CHIPYARD=DIR a result file)'
	@echo '  make clean         removes logs and saved states; make distclean: all that was built. Both keep build/runs (consoles and results)'
	@echo '                     and build/linux-tree'
	@echo
	@echo 'Every run has a directory of its own, build/runs/TIME-NAME: its consoles, its provenance and, if it ended well, result.jsonl.'
	@echo
	@echo 'Choices, as in make bench PORT=relaxed:'
	@echo '  CONFIG=LitexFullConfig|LitexFull4DConfig   one Rocket core (default), or four'
	@echo '  PORT=ordered|relaxed                       front port as published (default), or eight blocks in flight'
	@echo '  VARIANT=fast|checked|trace                 simulator: fast (default), all RTL assertions, waveforms'
	@echo '  RAM=MIB                                    24 by default'
	@echo '  READ_LATENCY=N WRITE_LATENCY=N             of the DRAM, in cycles: 30 and 6'
	@echo '  BANDWIDTH=N                                of the DRAM, bytes a cycle: 16'
	@echo '  CHANNELS=N QUEUE=N INFLIGHT=N WINDOWS=N    of the engine: 2 channels of 16 jobs, 16 blocks in flight, 4 windows'
	@echo '  SEED=N                                     of random tests'
	@echo 'A command refuses the choices that it does not take; only SEED it ignores.'

# SPDX-License-Identifier: BSD-3-Clause
"""How many of the cycles of churn's tasks go into taking the page allocator's lock and the LRU's: a record from the sampled profile of a run."""

from pathlib import Path

from . import profile

NAME = "locks"
PROGRAM, PASS = "churn", "task"
TAKE = ("_raw_spin_lock", "_raw_spin_lock_irq", "_raw_spin_lock_irqsave")  # they wait within; what is tried alone, the pcp lists' lock, is not among them
# Who takes zone->lock, and lruvec->lru_lock; the compiler puts some of these into others.
ZONE = ("rmqueue_bulk", "__rmqueue_pcplist", "rmqueue", "rmqueue_buddy", "rmqueue_pcp_zeroed", "rmqueue_bulk_zeroed", "get_page_from_freelist", "free_pcppages_bulk", "free_unref_page_commit",
        "free_unref_folios", "free_one_page")
LRU = ("folio_lruvec_lock_irqsave", "folio_lruvec_relock_irqsave", "folio_batch_move_lru", "folios_put_refs", "__page_cache_release", "lru_add_drain_cpu")


def record(samples: Path, symbols: list[Path]) -> dict:
    """Cycles of the tasks, and of these the locks' by name; a lock's include what it takes to wait for it."""
    found = {"all": 0, "zone": 0, "lru": 0, "other": 0}
    for stack, cycles in profile.fold(samples, symbols).items():
        if PASS not in stack:
            continue
        found["all"] += cycles
        if stack[-1] in TAKE:
            caller = stack[-2].split(".")[0]
            found["zone" if caller in ZONE else "lru" if caller in LRU else "other"] += cycles
    return {"test": NAME, "cycles": found}

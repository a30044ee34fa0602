# SPDX-License-Identifier: BSD-3-Clause
"""Layouts of the kernel: where in a way of the I-cache the functions begin that a page fault runs through."""

import random

from .kernel import WAY

LINE = 64  # bytes, of Rocket's I-cache
SEED = 1
PATCHES = {"all": None, "first": 1, "none": 0}  # how many of the series a kernel has

# What a fault and what undoes it run through at least once for each page, by object; a name with a dot in front is a section's. What
# another compiler gives another name (.part.0) stays where it is.
CODE = {
    "entry": ".irqentry.text", "traps": ".noinstr.text", "common": ".noinstr.text", "fault": "handle_page_fault",
    "memory": "lock_mm_and_find_vma handle_mm_fault __handle_mm_fault __vmf_anon_prepare unmap_page_range vm_normal_page",
    "pgtable": "p4d_offset pud_offset", "pgtable-generic": "__pte_offset_map __pte_offset_map_lock pte_offset_map_nolock",
    "rwsem": "down_read_trylock up_read", "mmap": "find_vma", "maple_tree": "mt_find", "util": "folio_mapping", "memset": ".text",
    "page_alloc": "__folio_alloc_noprof __alloc_pages_noprof get_page_from_freelist __rmqueue_pcplist free_unref_folios "
                  "free_unref_page_commit free_pcppages_bulk __free_one_page",
    "swap": "folio_add_lru_vma lru_add folio_batch_move_lru folios_put_refs release_pages __page_cache_release.part.0",
    "rmap": "folio_add_new_anon_rmap folio_remove_rmap_ptes", "tlbflush": "__flush_tlb_range",
    "mmu_gather": "__tlb_remove_folio_pages __tlb_remove_folio_pages_size.constprop.0",
}


def padding(layout: int) -> tuple:
    """(object, section of it, where in a way of the I-cache that begins) for all of CODE; of layout 0 none: it is the kernel as otherwise built."""
    chance = random.Random(f"{SEED}/{layout}")
    sections = [(name, code if code[0] == "." else f".text.{code}") for name, codes in CODE.items() for code in codes.split()]
    return tuple((*where, chance.randrange(0, WAY, LINE)) for where in sections) if layout else ()

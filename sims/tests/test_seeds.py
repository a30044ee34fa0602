# SPDX-License-Identifier: BSD-3-Clause
"""The page of earlier claims, from records like the set's."""

import json
import unittest

from scratch import Scratch

from blockzero.results import claims, html, locks, seeds
from blockzero.running import sets

MODES = {"stock": 8000, "cpu": 2500, "engine": 2400, "demand": 2000, "workers1": 7000, "workers2": 6000, "workers4": 5000}


def pft(cell, mode, folio_kib=4, lines=1, rep=1, threads=1):
    cost = MODES[mode] * lines
    return {"test": "pft", "cell": cell, "mode": mode, "folio_kib": folio_kib, "lines": lines, "rep": rep, "threads": threads, "folios": 10, "faults": 10,
            "cycles": 10 * cost, "user_cycles": 10, "fault_ns": 100 * cost, "wall_ns": 100 * cost, "mhz": 100}


def churn(cell, kind="fault", size=4096, ns=1000, pages=10, iterations=2):
    return {"test": "churn", "cell": cell, "kind": kind, "bytes": size, "pages": pages, "iterations": iterations, "ns": ns, "mhz": 100}


def records():
    found = [pft(f"Q/threads-{n}-{mode}", mode, rep=rep, threads=n) for n in (1, 2, 4) for mode in ("stock", "cpu", "engine") for rep in (1, 10)]
    found += [pft(f"S/lines-{mode}", mode, folio, 1 << n) for mode in ("stock", "engine") for folio, most in ((4, 7), (16, 9)) for n in range(most)]
    found += [churn(f"Q/{run}-{setting}", ns=1000 - 50 * int(setting) + n) for run in seeds.LOADS for setting in seeds.LOCK for n in range(3)]
    for batch in (1, 31, 63):
        found += [churn(f"Q/batch-{batch}", ns=1000 - batch), {"test": "locks", "cell": f"Q/batch-{batch}", "cycles": {"all": 100, "zone": 7, "lru": 3, "other": 0}}]
    found += [record for mode in ("stock", "cpu", "engine") for record in (churn(f"S/truncate-{mode}", "write-truncate", 64), {"test": "run", "cell": f"S/truncate-{mode}"})]
    found += [pft(f"Q/huge-{mode}", mode, 2048) for mode in MODES if mode != "cpu"]
    found += [churn(f"Q/start-{mode}", kind, ns=MODES[mode]) for mode in ("stock", "workers4", "demand", "engine") for kind in ("start", "cow")]
    return found


class Seeds(Scratch):
    def page(self):
        path = self.path / "seeds.jsonl"
        origin = {"run": "seeds", "set": "seeds", "git": "0123456789abcdef", "git_dirty": False, "linux": "6.12"}
        path.write_text("".join(json.dumps(line) + "\n" for line in [{"provenance": origin}, *records()]))
        self.assertEqual(html.kind(path), "seeds")
        return seeds.page(path)

    def test_every_claim_has_its_table_and_a_verdict(self):
        text = self.page()
        for title in seeds.SECTIONS:
            self.assertIn(f"## {title}\n\n**The claim ", text)
        self.assertNotIn("nan", text)

    def test_tables(self):
        text = self.page()
        self.assertIn("| four harts | kscrubd, CPU | 1 | 2 | 0.0000 | 0.0002 | 0.0003 | 40000 | 40000 | 3.20x |", text)
        self.assertIn("| Pentium III | kscrubd, CPU | 1 | 1 | 0.0080 | 0.0830 | 0.0090 | 672151 | 664046 | 4.23x |", text)
        self.assertIn("| 256 | - | - | - | - | 49 | 163 | 3.33x |", text)
        self.assertIn("| page faults on four harts | 50 | 48  -5.0% | 45  -10.0% | 0.2% |", text)
        self.assertIn("| 63 | +17.2%  24%  45% | +4.5%  62%  4% | +0.1%  6%  57% | 10672359 | +3.4% | 7.0% | 3.0% |", text)
        self.assertIn("| the CPU and 4 workers | 87 | 3.68x | 5000 | 1.60x |", text)
        self.assertIn("| 64 | 0.216 | 0.559 | +158.7% | 50 | 50  +0.0% | 50  +0.0% |", text)

    def test_the_set_has_every_run_of_the_page(self):
        cells = {name.split("/")[-1] for name in sets.plan(sets.load(sets.path_of("seeds")), {}, {})["runs"]}
        for run in ("threads-4-cpu", "lines-engine", "lock-copy-2", "batch-31", "batch-63", "truncate-cpu", "huge-workers4", "start-demand"):
            self.assertIn(run, cells)

    def test_claims_have_a_base(self):
        self.assertTrue(all(31 in batches for batches in claims.LU.values()) and 0 in claims.PUSUKURI)


class Locks(Scratch):
    def test_a_lock_is_known_by_who_takes_it(self):
        symbols = self.path / "System.map"
        names = ["task", "rmqueue_bulk", "_raw_spin_lock_irqsave", "folio_batch_move_lru", "other"]
        symbols.write_text("".join(f"{0x1000 * (n + 1):x} T {name}\n" for n, name in enumerate(names)))
        samples = self.path / "samples.txt"
        samples.write_text("0;1000;2000;3000 5\n0;1000;4000;3000 7\n0;1000;5000;3000 2\n0;1000;2000 3\n0;2000;3000 100\n0;3000 100\n")
        self.assertEqual(locks.record(samples, [symbols])["cycles"], {"all": 17, "zone": 5, "lru": 7, "other": 2})


if __name__ == "__main__":
    unittest.main()

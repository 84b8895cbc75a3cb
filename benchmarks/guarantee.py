#!/usr/bin/env python3
"""Does `covan calibrate` keep its promise? Prints how often it is broken, beside how often it may be.

    .venv/bin/python benchmarks/guarantee.py [--risk 0.1] [--delta 0.1] [ANSWERS.jsonl ...]

Expected with the defaults: every law and the topics at or below 0.10 up to the noise of 1,000 samples (0.13), while
choosing by the measured risk breaks the promise in more than half of the samples of most laws. A line of ANSWERS.jsonl
has `probability` and `right`: `covan calibrate` writes such a file beside its report. Takes about ten seconds.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from covan.calibrating.guarantee import (
    CASES,
    broken,
    broken_by_topic,
    by_measured_risk,
    learn_then_test,
    most_allowed,
    resample,
)

RISK_OF_THE_LAWS = 0.1
"""The laws are made around this risk."""


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("answers", nargs="*", type=Path)
    parser.add_argument("--risk", type=float, default=0.1, help="the risk asked for of the answers in files")
    parser.add_argument("--delta", type=float, default=0.1)
    options = parser.parse_args()
    delta, limit, failed = options.delta, most_allowed(options.delta), False

    print(f"How often the true risk is above the chosen one; allowed {delta:g}, with noise {limit:.3f}\n")
    print(f"{'law':<28}{'questions':>10}{'promise':>10}{'':>6}{'by measured risk':>18}")
    for case in CASES:
        share = broken(learn_then_test, case, RISK_OF_THE_LAWS, delta)
        naive = broken(by_measured_risk, case, RISK_OF_THE_LAWS, delta)
        failed |= share > limit
        print(f"{case.name:<28}{case.questions:>10}{share:>10.3f}{verdict(share, limit):>6}{naive:>18.3f}")
    share, _ = broken_by_topic(900, RISK_OF_THE_LAWS, delta)
    failed |= share > limit
    print(f"{'any of four topics':<28}{900:>10}{share:>10.3f}{verdict(share, limit):>6}")

    for path in options.answers:
        lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        answers = [(float(line["probability"]), bool(line["right"])) for line in lines]
        real = resample(answers, learn_then_test, options.risk, delta)
        naive = resample(answers, by_measured_risk, options.risk, delta).broken
        failed |= real.broken > limit
        print(
            f"\n{path}: {len(answers)} answers, risk {options.risk:g}\n"
            f"  broken {real.broken:.3f} {verdict(real.broken, limit)}, by measured risk {naive:.3f}; "
            f"answered {real.answered:.3f} on average, nothing certified in {real.silent:.3f} of the samples"
        )
    return int(failed)


def verdict(share: float, limit: float) -> str:
    return "OK" if share <= limit else "FAIL"


if __name__ == "__main__":
    sys.exit(main())

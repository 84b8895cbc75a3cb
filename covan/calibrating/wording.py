"""A calibration in sentences, for the terminal and the head of the report."""

from __future__ import annotations

from math import ceil

from covan.calibrating.certify import Certificate, needed
from covan.calibrating.choose import Choice


def summary(choice: Choice) -> list[str]:
    """Return the choice and its promise; when nothing was certified, the reason and the remedy."""
    promised = f"at most {_percent(choice.risk)} wrong with {_percent(1 - choice.delta)} confidence"
    answering = [certificate for certificate in choice.certificates if certificate.threshold is not None]
    if not answering:
        return [
            f"No threshold keeps the answers {promised}: calibrated so, the bot answers nothing on its own.",
            *_why_not(choice.common, choice),
        ]
    held = f"Answers {_percent(choice.coverage)} of the questions; of those {promised}"
    held += ", in every topic." if choice.by_topic else "."
    lines = [
        held,
        f"Measured: {_percent(choice.error)} wrong ({choice.wrong} of {choice.answered} answers, "
        f"{len(choice.weighed)} questions).",
    ]
    if choice.common.threshold is None:
        group = "the other topics" if choice.by_topic else "questions"
        lines.append(f"Nothing is answered about {group}: " + " ".join(_why_not(choice.common, choice)))
    silent = sorted(topic for topic, found in choice.by_topic.items() if found.threshold is None)
    if silent:
        lines.append(
            f"Nothing is answered about {', '.join(silent)}: too much of it is wrong to promise that."
        )
    return lines


def _why_not(found: Certificate, choice: Choice) -> list[str]:
    delta = choice.delta / len(choice.certificates)
    least = needed(0, choice.risk, delta)
    if found.proposed < least:
        return [
            f"There are too few answers to tell: it takes at least {least}, all of them right, and there are "
            f"{found.proposed}. Label more questions ({2 * needed(1, choice.risk, delta)} or more are a good "
            "start), or choose a higher --risk."
        ]
    if found.least_risk >= 1:
        return ["None of the surest answers is right: look at the mistakes in the report."]
    return [
        f"The least risk that these questions can vouch for is about {ceil(100 * found.least_risk)} % "
        f"(among the {found.first} surest answers). Choose a higher --risk, mend the mistakes in the report, or label "
        "more questions."
    ]


def _percent(share: float) -> str:
    return f"{100 * share:.1f}".removesuffix(".0") + " %"

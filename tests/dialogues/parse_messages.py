"""Parse messages with a trained model, in Rasa's environment: one process, the model loaded once.

    python parse_messages.py MODEL < texts.json > parsed.json

Reads a JSON list of texts; writes for each its `intent` after the fallback, the classifier's own `first` and its
`confidence`, and the `entities` as pairs of a kind and a value.
"""

import asyncio
import json
import logging
import sys
from typing import Any

import structlog
from rasa.core.agent import Agent


async def parsed(agent: Agent, text: str) -> dict[str, Any]:
    found = await agent.parse_message(text)
    first = next(one for one in found["intent_ranking"] if one["name"] != "nlu_fallback")
    return {
        "intent": found["intent"]["name"],
        "first": first["name"],
        "confidence": first["confidence"],
        "entities": sorted({(each["entity"], str(each["value"])) for each in found["entities"]}),
    }


async def main() -> None:
    # A message costs a tenth less without a line of debugging.
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING))
    agent = Agent.load(sys.argv[1])
    outcome = [await parsed(agent, text) for text in json.load(sys.stdin)]
    # Rasa itself writes to standard output now and then.
    print("\n" + json.dumps(outcome, ensure_ascii=False))


asyncio.run(main())

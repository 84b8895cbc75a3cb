"""A student types an option instead of pressing its button: "2", "câu cuối", or the button's own words.

The options are those of the reply right above the message, as the student saw them: each channel shows and numbers them
in the stored order. A message that is a choice does what the button does, on every channel; any other goes to the bot.
"""

from __future__ import annotations

from collections.abc import Sequence

from channels.delivery.option_rows import ChosenOption, OfferedOption
from vietnamese.choices import chosen_position, chosen_title, chosen_words

WAYS_OUT = ("/cancel", '/inform{"choice": "none"}', "/ask_advisor", "/hand_over", "!")
"""How the payloads begin that do not count among the options: they stand behind them, on no number."""

TO_A_PERSON = ("/ask_advisor", "/hand_over")


def typed_choice(text: str, offered: Sequence[OfferedOption], *, by_title_only: bool) -> ChosenOption | None:
    """Return the option that `text` chooses; None for any other message.

    A whole title chooses any option, and nothing else does while an advisor has the conversation (`by_title_only`):
    what is erased or who replies must not hang on a word that happens to stand on a button. A part of the words chooses
    an option of a reply that waits for a choice, and the way to a person.
    """
    whole = chosen_title(text, [option.title for option in offered])
    if whole is not None:
        return offered[whole]
    choices = [option for option in offered if not option.payload.startswith(WAYS_OUT)]
    if by_title_only:
        return None
    by_part = [option for option in choices if option.asks] or [
        option for option in offered if option.payload in TO_A_PERSON
    ]
    part = chosen_words(text, [option.title for option in by_part])
    if part is not None:
        return by_part[part]
    if not choices:
        return None
    # Several bubbles may have options: the numbers are those of the last.
    numbered = [option for option in choices if option.said_id == choices[-1].said_id]
    place = chosen_position(text, len(numbered))
    return None if place is None else numbered[place]

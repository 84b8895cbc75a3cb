"""Words of Vietnamese: a word is often several syllables ("điều kiện")."""

from __future__ import annotations

from typing import Any, Dict, List, Optional, Text

from rasa.engine.recipes.default_recipe import DefaultV1Recipe
from rasa.nlu.tokenizers.tokenizer import Token, Tokenizer
from rasa.shared.nlu.training_data.message import Message
from underthesea import word_tokenize

from server.text import fold, rules_fingerprint


@DefaultV1Recipe.register(DefaultV1Recipe.ComponentType.MESSAGE_TOKENIZER, is_trainable=False)
class VietnameseTokenizer(Tokenizer):
    """Segments text with underthesea.

    A token's text is verbatim, so `text[token.start:token.end] == token.text`. Its lemma is the same without case or
    diacritics: to featurizers with `use_lemma`, undiacritised typing looks the same.
    """

    @staticmethod
    def get_default_config() -> Dict[Text, Any]:
        """The tokenizer's defaults; see Rasa's `Tokenizer` for what they mean."""
        return {
            "intent_tokenization_flag": False,
            "intent_split_symbol": "_",
            "token_pattern": None,
            "prefix_separator_symbol": None,
        }

    @staticmethod
    def required_packages() -> List[Text]:
        """The packages that must be installed for this component."""
        return ["underthesea"]

    @classmethod
    def fingerprint_addon(cls, config: Dict[Text, Any]) -> Optional[Text]:
        """Makes Rasa's training cache see changed folding rules."""
        return rules_fingerprint()

    def tokenize(self, message: Message, attribute: Text) -> List[Token]:
        """The words of one attribute of `message`, in order; a text without words is one token."""
        text: Text = message.get(attribute)
        tokens: List[Token] = []
        position = 0
        # Its own normalisation would rewrite the text ("hoá" -> "hóa") and so shift every offset.
        for word in word_tokenize(text, use_token_normalize=False):
            start = text.find(word, position)
            if start < 0:  # blanks inside the word were folded
                continue
            position = start + len(word)
            tokens.append(Token(word, start, lemma=fold(word).folded))
        return self._apply_token_pattern(tokens or [Token(text, 0, lemma=fold(text).folded)])

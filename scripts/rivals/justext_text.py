"""Main text by jusText: paragraphs that are not boilerplate.

The stop words are those of the page's language, or English if it is unknown. For languages without stop words
we follow its documentation: no list, and thresholds of 0.
"""

from adapter import run
from justext import get_stoplist, get_stoplists, justext

# Names of languages in the sets.
NAMES = {"en": "English", "de": "German", "fr": "French", "el": "Greek", "pl": "Polish", "ru": "Russian", "zh": "Chinese"}
KNOWN = get_stoplists()
LISTS = {}


def stop_words(language):
    if language not in LISTS:
        LISTS[language] = get_stoplist(language) if language in KNOWN else None
    return LISTS[language]


def text(page, language):
    words = stop_words(NAMES.get(language, language) or "English")
    if words is None:
        paragraphs = justext(page, frozenset(), stopwords_low=0, stopwords_high=0)
    else:
        paragraphs = justext(page, words)
    return "\n".join(paragraph.text for paragraph in paragraphs if not paragraph.is_boilerplate)


run("justext", text)

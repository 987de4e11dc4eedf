"""The parts of the Search screen: query, knobs, results, explanation, text of a hit."""

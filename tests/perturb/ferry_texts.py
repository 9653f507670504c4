"""A text about ferries and a summary of it."""

from tricolore import Example

SOURCE = (
    "The council bought two ferries. They cost 31 million crowns! Fishermen opposed the plan, as "
    "the station takes a third of the quay. Fares will rise by six per cent. A heading\n\n"
    "Islanders are exempt from the increase. The boats sail every forty minutes."
)
SUMMARY = "The boats are new.  Fares rise!\n\nFishermen are angry about it."
EXAMPLE = Example(source=SOURCE, summary=SUMMARY)

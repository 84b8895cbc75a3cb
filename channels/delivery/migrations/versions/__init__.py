"""One file a step, in the order of their names. A step that was released is never edited."""

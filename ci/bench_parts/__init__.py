"""The parts of ci/bench: `tools` (what is measured), `measure` (one process, one number), `nvrtc` (the
peer that is a library), `sass` (what ptxas made of it), `report` (tables and statistics)."""

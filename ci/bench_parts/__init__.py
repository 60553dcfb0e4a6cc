"""The parts of ci/bench: `tools` (what is measured), `measure` (one process, one number), `nvrtc` (the
peer that is a library), `profile` (where weftc's time goes), `sass` (what ptxas made of it), `report`
(tables and statistics)."""

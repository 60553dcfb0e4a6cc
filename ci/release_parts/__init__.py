"""The parts of ci/release: `glibc` (linking against an older glibc, and the check of the result), `older_system` (running
the program there), `notices` (the licenses of what is linked statically)."""

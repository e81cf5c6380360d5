"""Systems of the papers, and the project's own, behind one interface: what `compare` compares."""

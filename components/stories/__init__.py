"""What still tells who somebody is when the eight classes are gone: rare things, by lists and patterns."""

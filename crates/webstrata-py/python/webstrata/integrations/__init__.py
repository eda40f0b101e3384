"""webstrata inside other frameworks. Each module imports its framework when it is imported itself."""

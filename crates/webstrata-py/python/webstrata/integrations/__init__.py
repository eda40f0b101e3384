"""webstrata in other frameworks. Importing a module imports its framework."""

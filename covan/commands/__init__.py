"""One module a command; each exports its function as `run`."""

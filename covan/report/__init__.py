"""Reports as one HTML file each: nothing is fetched, nothing is executed, everything from outside is escaped."""

"""From a platform to Rasa and back, the same for every channel: nothing lost, nothing twice, each student in order."""

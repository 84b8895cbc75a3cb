"""The front door: one process that takes students' messages, stores, acknowledges and delivers them."""

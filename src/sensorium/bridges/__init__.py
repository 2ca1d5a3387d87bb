"""The wires: live exchange with other programs. So far the service for external engines over UDP."""

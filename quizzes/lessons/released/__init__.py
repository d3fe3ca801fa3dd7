"""What released models do with position: their list, and the config.json that a reader pastes."""

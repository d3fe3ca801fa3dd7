"""What publishing into a running class asks, and what waits until the class is done."""

"""Writing a question in the browser: its page, its program and what that draws."""

"""Keep the formulas of the courses as they are shown now; look at the pages before."""

import json
import os
from pathlib import Path

import django

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "quizzes.config.settings")
    django.setup()
    from tests.content.course_formulas import formulas

    made = formulas()
    text = json.dumps(made, indent=0, sort_keys=True, ensure_ascii=False)
    Path(__file__).with_name("golden_formulas.json").write_text(text + "\n")
    print(f"{len(made)} formulas")

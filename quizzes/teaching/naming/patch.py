"""The file of a draft as a patch for the course's folder."""

from quizzes.exercises.models import MistakeDraft


def patch_of(draft: MistakeDraft) -> str:
    """Return a unified diff that adds the draft's file to the course's folder (`patch -p1`)."""
    name = f"exercises/{draft.exercise.slug}/{draft.path}"
    lines = draft.text.removesuffix("\n").split("\n")
    head = [
        f"diff --git a/{name} b/{name}",
        "new file mode 100644",
        "--- /dev/null",
        f"+++ b/{name}",
        f"@@ -0,0 +1,{len(lines)} @@",
    ]
    return "\n".join([*head, *(f"+{line}" for line in lines)]) + "\n"

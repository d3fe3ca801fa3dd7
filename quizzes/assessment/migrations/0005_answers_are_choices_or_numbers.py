from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("assessment", "0004_which_answers_are_right")]

    operations = [
        migrations.AddConstraint(
            model_name="response",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("attempt__isnull", False), ("learner", None), ("step", "")),
                    models.Q(("attempt", None), ("learner__isnull", False)),
                    _connector="OR",
                ),
                name="in_an_attempt_or_of_a_learner",
            ),
        ),
        migrations.AddConstraint(
            model_name="response",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(
                        ("answered_at", None),
                        ("choice", None),
                        ("is_right", None),
                        ("number", None),
                    ),
                    models.Q(
                        ("answered_at__isnull", False),
                        ("is_right__isnull", False),
                        models.Q(
                            models.Q(("choice__isnull", False), ("number", None), ("text", "")),
                            models.Q(
                                ("choice", None),
                                ("number__isnull", False),
                                models.Q(("text", ""), _negated=True),
                            ),
                            _connector="OR",
                        ),
                    ),
                    _connector="OR",
                ),
                name="answered_by_a_choice_or_a_number",
            ),
        ),
        migrations.AddConstraint(
            model_name="response",
            constraint=models.UniqueConstraint(
                condition=models.Q(("attempt", None), models.Q(("step", ""), _negated=True)),
                fields=("learner", "step", "version"),
                name="one_inline_response_per_question",
            ),
        ),
    ]

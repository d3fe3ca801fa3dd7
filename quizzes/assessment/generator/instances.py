"""Storing what a generator made as instances of a version."""

from django.db import transaction

from quizzes.assessment.generator.generated_question import Generated
from quizzes.assessment.models import Instance, Option, QuestionVersion

FIRST_INSTANCES = 4  # until a worker has drawn more


@transaction.atomic
def store_instance(version: QuestionVersion, made: Generated) -> Instance:
    """Store what a seed gave, with its options; a seed that is there already is returned."""
    instance, new = Instance.objects.get_or_create(
        version=version,
        seed=made.seed,
        defaults={"prompt": made.prompt, "facts": made.facts, "answer": made.answer},
    )
    if new:
        Option.objects.bulk_create(options_of(made, version=version, instance=instance))
    return instance


def options_of(
    made: Generated, *, version: QuestionVersion, instance: Instance | None = None
) -> list[Option]:
    """Return the options that a seed gave as rows, which are not stored."""
    return [
        Option(
            version=version,
            instance=instance,
            order=order,
            text=option.text,
            picture=option.picture,
            is_key=option.is_key,
            reason=option.reason,
            mistake=option.mistake,
        )
        for order, option in enumerate(made.options, start=1)
    ]


def copy_instances(twin: QuestionVersion, version: QuestionVersion) -> None:
    """Copy a few instances of a version with the same generator, so that all can be asked at once.

    Equal files make the same of the same seed.
    """
    for made in twin.instances.order_by("-pk")[:FIRST_INSTANCES]:
        options = list(made.options.all())
        made.pk, made.version = None, version
        made._state.adding = True
        made.save(force_insert=True)
        for option in options:
            option.pk, option.version, option.instance = None, version, made
            option._state.adding = True
        Option.objects.bulk_create(options)

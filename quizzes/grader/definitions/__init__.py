"""Exercises as authors write them: reading, verifying, building packs; authors' other programs."""

from quizzes.grader.definitions.author_program import run_author_program
from quizzes.grader.definitions.case_pack_builder import build_case_pack
from quizzes.grader.definitions.clauses import (
    Clause,
    broken_clause,
    letters_in,
    read_requirements,
    requirement_items,
)
from quizzes.grader.definitions.definition import (
    MAX_FILES,
    ExerciseDefinition,
    check_folder,
    check_variant,
    hash_files,
    is_exercise_file,
    read_definition,
    read_folder,
)
from quizzes.grader.definitions.exercise_fields import ExerciseFile
from quizzes.grader.definitions.figure_call import MOST_PLACES, Choices, FigureCall, SliderRange
from quizzes.grader.definitions.patient_sandbox import PatientSandbox
from quizzes.grader.definitions.printed_output import printed_by
from quizzes.grader.definitions.variant_header import KEYS as HEADER_KEYS
from quizzes.grader.definitions.variant_header import NEEDED as HEADER_NEEDED
from quizzes.grader.definitions.variant_header import read_variant_header, wording_problems
from quizzes.grader.definitions.verification import Verification, verify
from quizzes.grader.definitions.verification_report import VerifiedCase, VerifiedClause, weak_cases

__all__ = [
    "HEADER_KEYS",
    "HEADER_NEEDED",
    "MAX_FILES",
    "MOST_PLACES",
    "Choices",
    "Clause",
    "ExerciseDefinition",
    "ExerciseFile",
    "FigureCall",
    "PatientSandbox",
    "SliderRange",
    "Verification",
    "VerifiedCase",
    "VerifiedClause",
    "broken_clause",
    "build_case_pack",
    "check_folder",
    "check_variant",
    "hash_files",
    "is_exercise_file",
    "letters_in",
    "printed_by",
    "read_definition",
    "read_folder",
    "read_requirements",
    "read_variant_header",
    "requirement_items",
    "run_author_program",
    "verify",
    "weak_cases",
    "wording_problems",
]

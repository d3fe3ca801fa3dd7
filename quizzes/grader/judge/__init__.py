"""One submission's results against a case pack: stages, diagnosis, report.

The way of a submission. What is indented is called by what stands above it, and import-linter holds
that nothing calls upward, so a file is left for good but for its caller::

    judge.grade_code                          runs the code, times it again, calls a case alone,
                                              tries smaller inputs
        sandbox.run, protocol.read_results    frames to checked observations
        evaluation.evaluate                   what is wrong
            timing.largest_timed              the call whose time may count
            run_errors.find_run_error         the run as a whole: it broke off, a limit
            stages.check_case                 each case, stage by stage
            accidents.hint_for                what helps with an exception
                code_text.cleaner             odd characters of pasted code, and the code without
                code_text.call_cycles         what calls itself
            timing.check_time
            state_between_calls.check_pairs   only where nothing else is wrong
            stages.check_looks                only where that is not wrong either
            naming.name_results               known mistakes, another convention, what is beside it
                diagnosis.name_mistake
                row_constants                 only for biases of scores, where nothing has a name
                diagnosis.name_least
        evaluation.with_alone, muted          what a call alone in a new process shows
        reporting.report_of                   what is reported, and the verdict
            fingerprint                       of wrong results that have no name
        formatting                        calls, and expected beside got
            property_report, timing.timing_report, picture

`messages`, `property_messages` and `headlines` are below all of these, `comparison` below them.
"""

from quizzes.grader.judge.built_in_mistakes import BUILT_IN_MISTAKES, RESERVED_MISTAKES
from quizzes.grader.judge.case_pack import CasePack, FingerprintSet
from quizzes.grader.judge.code_text.characters import name_of
from quizzes.grader.judge.code_text.cleaner import CleanedCode, clean_code, kinds_of
from quizzes.grader.judge.fingerprint import digest_of_cases
from quizzes.grader.judge.formatting import call_text
from quizzes.grader.judge.judge import grade_code
from quizzes.grader.judge.messages import duration
from quizzes.grader.judge.picture import Picture
from quizzes.grader.judge.report import (
    CaseResult,
    KnownMistake,
    Report,
    ReportedFinding,
    UnreadableReport,
)
from quizzes.grader.judge.timing import ALWAYS_ALLOWED
from quizzes.grader.protocol.case import PLAIN_CALLS

__all__ = [
    "ALWAYS_ALLOWED",
    "BUILT_IN_MISTAKES",
    "PLAIN_CALLS",
    "RESERVED_MISTAKES",
    "CasePack",
    "CaseResult",
    "CleanedCode",
    "FingerprintSet",
    "KnownMistake",
    "Picture",
    "Report",
    "ReportedFinding",
    "UnreadableReport",
    "call_text",
    "clean_code",
    "digest_of_cases",
    "duration",
    "grade_code",
    "kinds_of",
    "name_of",
]

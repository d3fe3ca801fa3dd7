"""Superusers' pages: accounts, the role of instructors, links to a new password."""

from allauth.account import app_settings
from allauth.account.forms import ResetPasswordForm
from allauth.account.models import EmailAddress
from allauth.utils import get_form_class
from django.contrib import messages
from django.db.models import Exists, OuterRef, Prefetch, Q, QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseBadRequest
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.html import format_html
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from quizzes.content_files.typed_text import isolate
from quizzes.courses.audit import record
from quizzes.courses.log_subjects import Kind, Subject
from quizzes.courses.models import CourseStaff
from quizzes.courses.roles import set_instructor
from quizzes.learners.account_adapter import MAIL_FAILED
from quizzes.learners.instructors import AccountError, superusers_only
from quizzes.learners.models import INSTRUCTORS, User
from quizzes.learners.password_again import password_first
from quizzes.teaching.access import back_or, editor_of
from quizzes.teaching.lists import newest_page, requested_filter

HINT = (
    "{} They can open a class for any listed course right away. To see the course itself, {} needs"
    ' a role in it: open its People page <a href="{}">here</a>.'
)
TEACHES = {"yes": True, "no": False}


def _with_way(done: str, account: User) -> str:
    """Return the sentence, with the way to a role for an account that has none in any course."""
    if account.is_superuser or account.course_roles.exists():
        return done
    return format_html(HINT, done, account.username, reverse("teaching:index"))


def _list_shown(request: HttpRequest) -> str:
    return back_or(request, reverse("teaching:people")).url


@never_cache
@require_safe
@superusers_only
def people(request: HttpRequest) -> HttpResponse:
    """Show every account, the newest first, with a search."""
    words, role = requested_filter(request, "q"), requested_filter(request, "role")
    page = newest_page(request, find_people(words, role=role))
    context = {
        "page": page,
        "people": [(account, without_link(account)) for account in page],
        "words": words,
        "roles": ROLES,
        "role": role,
    }
    return render(request, "teaching/people.html", context)


@require_POST
@superusers_only
@password_first(_list_shown)
def change_role(request: HttpRequest, number: int) -> HttpResponse:
    """Make an account an instructor, or no longer one."""
    account = get_object_or_404(User, pk=number)
    teaches = TEACHES.get(request.POST.get("teaches", ""))
    if teaches is None:
        return HttpResponseBadRequest("teaches: must be yes or no", content_type="text/plain")
    try:
        done = set_instructor(user=account, teaches=teaches, by=editor_of(request))
        messages.success(request, _with_way(done, account) if teaches else done)
    except AccountError as refused:
        messages.error(request, f"{refused}. Nothing was changed.")
    return back_or(request, reverse("teaching:people"))


@require_POST
@superusers_only
@password_first(_list_shown)
def send_password_link(request: HttpRequest, number: int) -> HttpResponse:
    """Send the account a link with which its owner chooses a new password."""
    account = get_object_or_404(User, pk=number)
    try:
        address = mail_password_link(request, account)
    except PasswordLinkError as refused:
        messages.error(request, str(refused))
    else:
        by = editor_of(request)
        subject = Subject.of(Kind.ACCOUNT, number)
        record(by=by, act="sent a link to a new password", subjects=[subject])
        messages.success(request, f"A link for setting a new password was sent to {address}.")
    return back_or(request, reverse("teaching:people"))


ROLES = {"instructors": "Instructors", "superusers": "Superusers"}
MOST_WORDS = 5


class PasswordLinkError(Exception):
    """No link to a new password was sent to this account; the text is a sentence that says why.

    A link to an address that was never verified would give the account to its reader.
    """


def find_people(words: str, *, role: str) -> QuerySet[User]:
    """Return accounts whose names or addresses have every word: three queries for any number.

    `in_group`: whether it is an instructor. Its addresses come with it, the primary one first, and
    its roles in courses.
    """
    membership = User.groups.through.objects.filter(user=OuterRef("pk"), group__name=INSTRUCTORS)
    users = User.objects.annotate(in_group=Exists(membership))
    for word in words.split()[:MOST_WORDS]:
        users = users.filter(_has(word))
    if role in ROLES:
        users = users.filter(Q(in_group=True) if role == "instructors" else Q(is_superuser=True))
    addresses = EmailAddress.objects.order_by("-primary", "-verified", "email")
    roles = CourseStaff.objects.select_related("course").order_by("course")
    return users.prefetch_related(
        Prefetch("emailaddress_set", queryset=addresses), Prefetch("course_roles", queryset=roles)
    )


def _has(word: str) -> Q:
    typed = EmailAddress.objects.filter(user=OuterRef("pk"), email__icontains=word)
    return (
        Q(username__icontains=word)
        | Q(first_name__icontains=word)
        | Q(last_name__icontains=word)
        | Q(email__icontains=word)
        | Q(Exists(typed))
    )


def without_link(user: User) -> str:
    """Return the reason why an account of `find_people` gets no password link; "" if it can."""
    if not user.is_active:
        return "This account is not active."
    addresses = user.emailaddress_set.all()  # type: ignore[attr-defined]  # of allauth
    if any(address.verified for address in addresses):
        return ""
    if addresses or user.email:
        return "This account has no confirmed e-mail address."
    return "This account has no e-mail address."


def mail_password_link(request: HttpRequest, user: User) -> str:
    """Send the site's own mail with a link to a new password; return the address.

    Raises PasswordLinkError if there is no address for it, or if it could not be sent.
    """
    (found,) = find_people("", role="").filter(pk=user.pk)
    if why := without_link(found):
        raise PasswordLinkError(f"No password link was sent to {isolate(user.username)}. {why}")
    address = str(EmailAddress.objects.get_verified(user))
    form = get_form_class(app_settings.FORMS, "reset_password", ResetPasswordForm)(
        {"email": address}
    )
    if not form.is_valid() or form.users != [user]:
        raise PasswordLinkError(f"No password link was sent: {address} belongs to another account.")
    form.save(request)
    if error := MAIL_FAILED.get(request):  # by the account adapter, which sends it
        raise PasswordLinkError(f"No password link was sent: the mail server said {error}.")
    return address

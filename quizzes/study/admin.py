"""Accounts in the administration: Django's own pages, with allauth's e-mail addresses added.

Three things differ. An address is a row of allauth's, which the account's own field copies: the
field is shown, the rows are edited, and only beside their account, because on a page of their own
their owner would not be checked. Superusers cannot take away their own access, and only a superuser
changes a superuser or the permissions of an account or a group. Deleting an account deletes all
data about its owner, as on the owner's own page, instead of leaving the code behind without a name.
"""

from typing import Any

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount, SocialApp, SocialToken
from allauth.usersessions.models import UserSession
from django.contrib import admin
from django.contrib.auth.admin import GroupAdmin, UserAdmin
from django.contrib.auth.models import Group
from django.db.models import QuerySet
from django.http import HttpRequest

from quizzes.learners.models import Learner, User
from quizzes.study.data_erasure import erase

OWN_ACCESS = ("is_active", "is_staff", "is_superuser")
WHAT_ACCOUNTS_MAY = ("is_staff", "is_superuser", "groups", "user_permissions")

admin.site.unregister(EmailAddress)
admin.site.unregister(Authenticator)  # the secrets of second factors: `manage.py reset_mfa`
admin.site.unregister(UserSession)
admin.site.unregister(
    SocialAccount
)  # whose account an identity opens: `manage.py disconnect_provider`
admin.site.unregister((SocialApp, SocialToken))  # providers are in the settings, tokens nowhere
admin.site.unregister(Group)


class AddressInline(admin.TabularInline):  # type: ignore[type-arg]  # Django's has none
    """The addresses of an account; which one is primary follows from them."""

    model = EmailAddress
    fields = ("email", "verified", "primary")
    readonly_fields = ("primary",)
    extra = 0


@admin.register(User)
class AccountAdmin(UserAdmin):  # type: ignore[type-arg]  # Django's has none
    """Accounts."""

    inlines = [AddressInline]
    list_display = ("username", "email", "is_active", "is_staff", "is_superuser", "last_login")
    search_fields = ("username", "first_name", "last_name", "email", "emailaddress__email")
    readonly_fields = ("email", "is_demo", "last_login", "date_joined")
    fieldsets = (
        (None, {"fields": ("username", "password")}),
        ("Person", {"fields": ("first_name", "last_name", "email")}),
        (
            "What it may do",
            {
                "fields": ("is_active", "is_staff", "is_superuser", "groups", "user_permissions"),
                "description": "Members of the group Instructors can write questions and see every "
                "learner's work. You cannot make your own account inactive, or take away its staff "
                "or superuser status.",
            },
        ),
        ("Since when", {"fields": ("last_login", "date_joined", "is_demo")}),
    )

    def get_inlines(self, request: HttpRequest, obj: User | None) -> Any:
        """Show addresses of an account that exists: a new one is named first."""
        return super().get_inlines(request, obj) if obj else []

    def get_readonly_fields(self, request: HttpRequest, obj: User | None = None) -> tuple[str, ...]:
        """Make one's own access read-only, and for staff all permissions of accounts."""
        fields = {*self.readonly_fields}
        if obj is not None and obj == request.user:
            fields |= {*OWN_ACCESS}
        if not _is_superuser(request):
            fields |= {*WHAT_ACCOUNTS_MAY}
        return tuple(sorted(fields))

    def has_change_permission(self, request: HttpRequest, obj: User | None = None) -> bool:
        """Let superusers alone change superusers, their passwords included."""
        of_superuser = obj is not None and obj.is_superuser
        allowed = super().has_change_permission(request, obj)
        return allowed and (not of_superuser or _is_superuser(request))

    def has_delete_permission(self, request: HttpRequest, obj: User | None = None) -> bool:
        """Forbid deleting one's own account, and superusers while they are superusers."""
        kept = obj is not None and (obj.is_superuser or obj == request.user)
        return super().has_delete_permission(request, obj) and not kept

    def save_formset(self, request: HttpRequest, form: Any, formset: Any, change: bool) -> None:
        """Copy the primary address to the account's own field, as allauth does."""
        super().save_formset(request, form, formset, change)
        if formset.model is EmailAddress and formset.has_changed():
            _copy_primary_address(form.instance)

    def delete_model(self, request: HttpRequest, obj: User) -> None:  # noqa: ARG002
        """Delete the data about the owner, too."""
        erase(learner=Learner.objects.filter(user=obj).first(), user=obj)

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[User]) -> None:
        """Delete each as if alone."""
        for account in queryset:
            self.delete_model(request, account)


@admin.register(Group)
class GroupOfAccountsAdmin(GroupAdmin):
    """Groups; only superusers add, remove and change them."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        return _is_superuser(request)

    def has_change_permission(self, request: HttpRequest, obj: Group | None = None) -> bool:  # noqa: ARG002
        return _is_superuser(request)

    def has_delete_permission(self, request: HttpRequest, obj: Group | None = None) -> bool:  # noqa: ARG002
        return _is_superuser(request)


def _is_superuser(request: HttpRequest) -> bool:
    return isinstance(request.user, User) and request.user.is_superuser


def _copy_primary_address(user: User) -> None:
    """Make a verified address primary if no address is, and copy the primary one to the account."""
    rows = EmailAddress.objects.filter(user=user).order_by("-primary", "-verified", "pk")
    first = rows.first()
    if first is None:
        User.objects.filter(pk=user.pk).update(email="")
    else:
        first.set_as_primary()

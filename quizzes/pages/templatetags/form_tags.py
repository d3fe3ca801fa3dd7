"""`csrf_token` for every template: the token of the form, and the account that opened the page.

`csrf_cookie_name` tells a page's modules which cookie has the newest token: HTTPS gives it another.
"""

from django import template
from django.conf import settings
from django.template import Context
from django.utils.safestring import SafeString

from quizzes.pages.form_placeholders import hidden_fields

register = template.Library()


@register.simple_tag(takes_context=True)
def csrf_token(context: Context) -> SafeString | str:
    """Write Django's field and, where somebody is signed in, the field that names the account."""
    token = context.get("csrf_token", "")
    if not token or token == "NOTPROVIDED":  # noqa: S105 -- Django's word
        return ""
    return hidden_fields(token)


@register.simple_tag
def csrf_cookie_name() -> str:
    """Return the name of the cookie that has the token."""
    return str(settings.CSRF_COOKIE_NAME)

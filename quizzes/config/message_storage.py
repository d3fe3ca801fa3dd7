"""The cookie of messages to a visitor, such as "Your password is changed.", bound to the host.

Django signs it, but calls it `messages` everywhere: another name of the domain could keep a message
of ours and set it again in the browser of somebody else. In the session, messages would make one
for each visitor without an account.
"""

from django.conf import settings
from django.contrib.messages.storage.cookie import CookieStorage
from django.contrib.messages.storage.fallback import FallbackStorage
from django.contrib.messages.storage.session import SessionStorage


class HostCookieStorage(CookieStorage):
    """Keep messages in a cookie of the name that the settings give."""

    @property
    def cookie_name(self) -> str:  # type: ignore[override]  # Django has one name for all sites
        return str(settings.MESSAGES_COOKIE_NAME)


class MessageStorage(FallbackStorage):
    """Keep messages in the cookie, and those that are too long for it in the session."""

    storage_classes = (HostCookieStorage, SessionStorage)

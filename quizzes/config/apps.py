"""Puts the site's own administration in the place of Django's."""

from django.contrib.admin.apps import AdminConfig


class AdministrationConfig(AdminConfig):
    """The administration of `administration.py`, known to Django as the one there is."""

    default_site = "quizzes.config.administration.Administration"

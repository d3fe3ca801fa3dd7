"""Puts the site's own administration in the place of Django's."""

from django.contrib.admin.apps import AdminConfig


class AdministrationConfig(AdminConfig):
    """Makes `administration.py` the administration that Django uses."""

    default_site = "quizzes.config.administration.Administration"

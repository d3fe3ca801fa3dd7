"""Addresses of the people of a class, below `/teach/classes/<class>/`."""

from django.urls import URLPattern, path

from quizzes.teaching.people import (
    announcement_views,
    attempt_views,
    class_views,
    link_views,
    log_views,
    member_views,
    roster_views,
    submission_views,
)

IN_A_CLASS: list[URLPattern] = [
    path("settings/", class_views.settings, name="class-settings"),
    path("settings/do/", class_views.change, name="class-change"),
    path("people/", member_views.people, name="class-people"),
    path("people/<int:number>/", member_views.member, name="class-member"),
    path("people/<int:number>/change/", member_views.change, name="class-member-change"),
    path("people/<int:number>/remove/", member_views.remove, name="class-member-remove"),
    path("people/<int:number>/restore/", member_views.restore, name="class-member-restore"),
    path("people/<int:number>/merge/", member_views.merge, name="class-member-merge"),
    path("people/<int:number>/invite/", member_views.invitation, name="class-member-invite"),
    path("people/<int:number>/dates/", member_views.move_dates, name="class-member-dates"),
    path("people/<int:number>/view/", member_views.view, name="class-member-view"),
    path("roster/", roster_views.roster, name="class-roster"),
    path("roster/apply/", roster_views.apply, name="class-roster-apply"),
    path("roster.csv", roster_views.download, name="class-roster-csv"),
    path("links.csv", roster_views.links, name="class-links"),
    path("links/", link_views.link_mails, name="class-link-mails"),
    path("links/stop/do/", link_views.stop, name="class-link-mails-stop"),
    path("announcements/", announcement_views.announcements, name="class-announcements"),
    path(
        "announcements/<int:number>/remove/",
        announcement_views.remove,
        name="class-announcement-remove",
    ),
    path("attempts/", attempt_views.attempts, name="class-attempts"),
    path("attempts/<int:number>/", attempt_views.attempt, name="class-attempt"),
    path("attempts/<int:number>/comment/", attempt_views.comment, name="class-answer-comment"),
    path("submissions/", submission_views.submissions, name="class-submissions"),
    path("submissions/<int:number>/", submission_views.submission, name="class-submission"),
    path(
        "submissions/<int:number>/<slug:layer>.svg", submission_views.picture, name="class-picture"
    ),
    path("submissions/<int:number>/comment/", submission_views.comment, name="class-comment"),
    path(
        "submissions/<int:number>/grade-anew/",
        submission_views.grade_submission,
        name="class-grade-again",
    ),
    path("comments/<int:number>/withdraw/", submission_views.withdraw, name="class-withdraw"),
    path("log/", log_views.class_log, name="class-log"),
]

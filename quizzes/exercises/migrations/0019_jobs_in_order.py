"""Have PostgreSQL take the next job by the index of priorities, however many wait.

The table of jobs is mostly empty, and so it is in the planner's numbers when a class hands in. It
then sorts what waits, after it has looked at the locks of all of it, for each job that is taken:
37 ms with 400 jobs, 584 ms with 5 000. Along the index it looks at the first that is free.
A session would keep its plan, that of an idle worker is for an empty table, and it reads all of the
other index with a lock in it for each job: so the plan is made anew, 0.2 ms.

The settings belong to Procrastinate's function. An upgrade that makes the function anew loses them:
then a test fails, and another migration like this one is due.
"""

from django.conf import settings
from django.db import migrations

FUNCTION = "procrastinate_fetch_job_v2(character varying[], bigint)"
ONE_BY_ONE = f"""
CREATE INDEX ordinal_jobs_by_lock ON procrastinate_jobs (lock);
ALTER FUNCTION {FUNCTION} SET enable_sort TO off;
ALTER FUNCTION {FUNCTION} SET enable_bitmapscan TO off;
ALTER FUNCTION {FUNCTION} SET plan_cache_mode TO force_custom_plan;
"""
AS_BEFORE = f"""
ALTER FUNCTION {FUNCTION} RESET ALL;
DROP INDEX ordinal_jobs_by_lock;
"""
HAS_JOBS = "procrastinate.contrib.django" in settings.INSTALLED_APPS  # on PostgreSQL alone


class Migration(migrations.Migration):
    dependencies = [("exercises", "0018_code_regrades_of_a_class")]
    operations = []
    if HAS_JOBS:
        dependencies.append(("procrastinate", "0041_post_retry_failed_job"))
        operations.append(migrations.RunSQL(ONE_BY_ONE, AS_BEFORE))

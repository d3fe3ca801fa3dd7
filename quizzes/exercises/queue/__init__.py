"""The queue of submissions: leases, order, lanes, limits, and notifications that wake a worker."""

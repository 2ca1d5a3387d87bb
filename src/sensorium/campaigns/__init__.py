"""Campaigns: one question asked of many runs, spread over cores and machines, with one table as the answer."""

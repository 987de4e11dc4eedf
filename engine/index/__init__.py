"""Keeping the index equal to the disk: plan, sync, generations, dirty state."""

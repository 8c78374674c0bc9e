-- Limits count addresses by keyed digests from now on. What was counted by a plain address is
-- deleted, so that no copy of this table is a list of addresses.
delete from rate_limits where key ~ '^(registration|sign-in-address|reset-address):';

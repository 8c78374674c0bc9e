-- Mailboxes that had their free credit, as keyed digests. They reference nobody: who deletes the
-- account and registers again has had the credit. They are forgotten after a year.
create table signup_credits (
  mailbox_hash bytea,
  granted_at timestamptz not null,
  constraint signup_credits_once_per_mailbox primary key (mailbox_hash),
  constraint signup_credits_mailbox_hash_is_hmac check (octet_length(mailbox_hash) = 32)
);
create index signup_credits_by_time on signup_credits (granted_at);

-- E-mails are kept in normalisation form C. Where several accounts become one that way, the others
-- stay as they are.
update users set email = written.composed
from (
  select distinct on (normalize(email, nfc)) id, normalize(email, nfc) as composed
  from users
  order by normalize(email, nfc), email is nfc normalized desc, created_at
) as written
where users.id = written.id and users.email <> written.composed;

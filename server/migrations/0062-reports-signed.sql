-- A report is signed by a full name, for oneself or for somebody else, and is answered by mail. Reports from before
-- have neither, and are answered by hand.

alter table reports
  add column signature text,
  add column behalf text,
  add column language text,
  add column reminded_at timestamptz,
  add column answered_at timestamptz,
  add constraint reports_signature_length check (char_length(signature) between 3 and 120),
  add constraint reports_behalf_known check (behalf in ('myself', 'somebody_else')),
  add constraint reports_answered_when_resolved check (answered_at is null or resolved_at is not null);

update reports set answered_at = resolved_at where resolved_at is not null;

-- Whose picture it is and why it may be used is told; a name is shown where the licence asks for one.
alter table stars drop constraint stars_rights_told;
alter table stars add constraint stars_rights_told check (
  name <> '' and licence <> '' and consent_note <> '');

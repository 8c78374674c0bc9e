-- Whom the selfie is with that a hold pays for; null where it pays for something else, and in holds of
-- the version before, whose description says it in a sentence.
alter table credit_holds add column celebrity text;

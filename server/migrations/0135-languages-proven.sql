-- Reads the people under a lock that lets others write.

alter table users validate constraint users_language_form;

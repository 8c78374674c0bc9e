-- What the operator makes of terms, privacy and imprint. A version holds the texts of all languages
-- as Markdown; published ones are never changed, as people agreed to them. Without any, the texts
-- hold that come with the program.

create table legal_page_versions (
  id bigint generated always as identity primary key,
  page text not null,
  texts jsonb not null,
  -- Of terms: whether people who agreed to an earlier version are asked again.
  asks_again boolean not null default false,
  saved_at timestamptz not null,
  saved_by text not null,
  -- Null while it is a draft.
  version text,
  published_at timestamptz,
  constraint legal_page_versions_page_known check (page in ('terms', 'privacy', 'imprint')),
  constraint legal_page_versions_published_whole
    check ((version is null) = (published_at is null)),
  constraint legal_page_versions_only_terms_ask check (page = 'terms' or not asks_again),
  constraint legal_page_versions_version_unique unique (page, version)
);
create unique index legal_page_versions_one_draft on legal_page_versions (page)
  where published_at is null;

create function keep_published_page() returns trigger language plpgsql as $$
begin
  if old.published_at is not null then
    raise exception 'version % of % is published and stays as it is', old.version, old.page
      using errcode = 'restrict_violation', constraint = 'legal_page_versions_published_is_final';
  end if;
  return coalesce(new, old);
end
$$;
create trigger legal_page_versions_published_is_final
  before update or delete on legal_page_versions
  for each row execute function keep_published_page();

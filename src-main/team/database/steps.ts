/**
 * Each step takes the schema from the version that is its index to the next one. All objects are in the schema
 * `muster`, and named with it, as a session's search path is not known. Never change a step that was released.
 *
 * Rights are granted to PUBLIC: they count for whoever may use the schema, which are the roles that the administrator
 * has granted it to (`rights.ts`), whatever their names. A right of PUBLIC without that of the schema is none.
 *
 * `muster.log_end` orders the rows of a log: who writes takes its row's lock before the numbers, and keeps it until the
 * rows are seen. `muster.post` is a function, as only the statement after that lock sees all rows that are in the log;
 * of one request, so that the lock never waits for a member. Who also locks a row of `muster.lead` does so before.
 */
export const teamSteps: readonly string[] = [
  `CREATE TABLE muster.schema_version (
     only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
     version integer NOT NULL CHECK (version >= 0),
     migrated_at timestamptz NOT NULL DEFAULT now()
   );
   INSERT INTO muster.schema_version (version) VALUES (0);
   CREATE TABLE muster.team (
     only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
     id uuid NOT NULL DEFAULT gen_random_uuid(),
     created_at timestamptz NOT NULL DEFAULT now()
   );
   INSERT INTO muster.team DEFAULT VALUES;
   CREATE TABLE muster.member (
     id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
     operator text NOT NULL CHECK (char_length(operator) BETWEEN 1 AND 200),
     role name NOT NULL DEFAULT session_user,
     muster_version text NOT NULL CHECK (char_length(muster_version) BETWEEN 1 AND 100),
     joined_at timestamptz NOT NULL DEFAULT now(),
     seen_at timestamptz NOT NULL DEFAULT now()
   );
   CREATE FUNCTION muster.stamp_member() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog AS $$
   BEGIN
     IF TG_OP = 'INSERT' THEN
       NEW.role := session_user;
       NEW.joined_at := clock_timestamp();
     ELSE
       NEW.id := OLD.id;
       NEW.role := OLD.role;
       NEW.joined_at := OLD.joined_at;
     END IF;
     NEW.seen_at := clock_timestamp();
     RETURN NEW;
   END $$;
   CREATE TRIGGER stamp_member BEFORE INSERT OR UPDATE ON muster.member
     FOR EACH ROW EXECUTE FUNCTION muster.stamp_member();
   ALTER TABLE muster.member ENABLE ROW LEVEL SECURITY;
   CREATE POLICY member_read ON muster.member FOR SELECT USING (true);
   CREATE POLICY member_join ON muster.member FOR INSERT WITH CHECK (role = session_user);
   CREATE POLICY member_change ON muster.member FOR UPDATE USING (role = session_user);
   CREATE POLICY member_leave ON muster.member FOR DELETE USING (role = session_user);
   GRANT SELECT ON muster.schema_version, muster.team, muster.member TO PUBLIC;
   GRANT INSERT (id, operator, muster_version), UPDATE (operator, muster_version) ON muster.member TO PUBLIC;
   GRANT DELETE ON muster.member TO PUBLIC;`,
  `CREATE TABLE muster.lead (
     subject text PRIMARY KEY CHECK (char_length(subject) BETWEEN 1 AND 200),
     term bigint NOT NULL CHECK (term > 0),
     holder uuid NOT NULL,
     member uuid NOT NULL,
     until timestamptz NOT NULL,
     revision bigint NOT NULL DEFAULT 0 CHECK (revision >= 0)
   ) WITH (fillfactor = 50);
   CREATE TABLE muster.log_end (
     log text PRIMARY KEY CHECK (char_length(log) BETWEEN 1 AND 200),
     last bigint NOT NULL DEFAULT 0 CHECK (last >= 0)
   ) WITH (fillfactor = 50);
   CREATE TABLE muster.log (
     log text NOT NULL,
     number bigint NOT NULL CHECK (number > 0),
     id uuid NOT NULL,
     term bigint NOT NULL CHECK (term >= 0),
     role name NOT NULL DEFAULT session_user,
     at timestamptz NOT NULL DEFAULT clock_timestamp(),
     body bytea STORAGE EXTERNAL NOT NULL CHECK (octet_length(body) <= 1048576),
     PRIMARY KEY (log, number),
     UNIQUE (log, id)
   );
   CREATE TABLE muster.snapshot (
     log text PRIMARY KEY,
     id uuid NOT NULL,
     term bigint NOT NULL,
     number bigint NOT NULL CHECK (number > 0),
     row_id uuid NOT NULL,
     parts integer NOT NULL CHECK (parts > 0),
     at timestamptz NOT NULL DEFAULT clock_timestamp()
   );
   CREATE TABLE muster.snapshot_part (
     log text NOT NULL,
     snapshot uuid NOT NULL,
     part integer NOT NULL CHECK (part >= 0),
     body bytea STORAGE EXTERNAL NOT NULL CHECK (octet_length(body) <= 4194304),
     PRIMARY KEY (log, snapshot, part)
   );
   CREATE TABLE muster.state (
     subject text PRIMARY KEY,
     id uuid NOT NULL,
     term bigint NOT NULL,
     at timestamptz NOT NULL DEFAULT clock_timestamp(),
     value bytea STORAGE EXTERNAL NOT NULL CHECK (octet_length(value) <= 16777216)
   );
   CREATE TABLE muster.consumed (
     subject text NOT NULL,
     source text NOT NULL,
     number bigint NOT NULL CHECK (number > 0),
     row_id uuid NOT NULL,
     PRIMARY KEY (subject, source)
   );
   CREATE FUNCTION muster.post(to_log text, ids uuid[], bodies bytea[]) RETURNS bigint
     LANGUAGE plpgsql SET search_path = pg_catalog AS $$
   DECLARE
     former bigint;
     written bigint;
   BEGIN
     INSERT INTO muster.log_end (log) VALUES (to_log) ON CONFLICT (log) DO NOTHING;
     SELECT e.last INTO STRICT former FROM muster.log_end e WHERE e.log = to_log FOR UPDATE;
     INSERT INTO muster.log (log, number, id, term, body)
       SELECT to_log, former + row_number() OVER (ORDER BY given.n), given.id, 0, given.body
       FROM unnest(ids, bodies) WITH ORDINALITY AS given (id, body, n)
       WHERE NOT EXISTS (SELECT FROM muster.log l WHERE l.log = to_log AND l.id = given.id);
     GET DIAGNOSTICS written = ROW_COUNT;
     IF written > 0 THEN
       UPDATE muster.log_end e SET last = former + written WHERE e.log = to_log;
     END IF;
     RETURN (SELECT max(l.number) FROM muster.log l WHERE l.log = to_log AND l.id = ANY (ids));
   END $$;
   ALTER TABLE muster.lead ENABLE ROW LEVEL SECURITY;
   CREATE POLICY lead_read ON muster.lead FOR SELECT USING (true);
   CREATE POLICY lead_begin ON muster.lead FOR INSERT WITH CHECK (
     EXISTS (SELECT FROM muster.member m WHERE m.id = lead.member AND m.role = session_user));
   CREATE POLICY lead_change ON muster.lead FOR UPDATE USING (true) WITH CHECK (
     EXISTS (SELECT FROM muster.member m WHERE m.id = lead.member AND m.role = session_user));
   GRANT SELECT ON muster.lead, muster.log_end, muster.log, muster.snapshot, muster.snapshot_part, muster.state,
     muster.consumed TO PUBLIC;
   GRANT INSERT (subject, term, holder, member, until),
     UPDATE (term, holder, member, until, revision) ON muster.lead TO PUBLIC;
   GRANT INSERT, UPDATE (last) ON muster.log_end TO PUBLIC;
   GRANT INSERT (log, number, id, term, body), DELETE ON muster.log TO PUBLIC;
   GRANT INSERT, UPDATE ON muster.snapshot, muster.state, muster.consumed TO PUBLIC;
   GRANT INSERT, UPDATE (body), DELETE ON muster.snapshot_part TO PUBLIC;`,
  // A row that is written again after a failover has lost it is another row: who has the former one has another log.
  `ALTER TABLE muster.log ADD COLUMN entry uuid;
   UPDATE muster.log SET entry = id;
   ALTER TABLE muster.log ALTER COLUMN entry SET NOT NULL, DROP CONSTRAINT log_log_id_key,
     ADD CONSTRAINT log_entry UNIQUE (log, entry), ALTER COLUMN id SET DEFAULT gen_random_uuid();
   GRANT INSERT (entry) ON muster.log TO PUBLIC;
   REVOKE INSERT (id) ON muster.log FROM PUBLIC;
   CREATE OR REPLACE FUNCTION muster.post(to_log text, ids uuid[], bodies bytea[]) RETURNS bigint
     LANGUAGE plpgsql SET search_path = pg_catalog AS $$
   DECLARE
     former bigint;
     written bigint;
   BEGIN
     INSERT INTO muster.log_end (log) VALUES (to_log) ON CONFLICT (log) DO NOTHING;
     SELECT e.last INTO STRICT former FROM muster.log_end e WHERE e.log = to_log FOR UPDATE;
     INSERT INTO muster.log (log, number, entry, term, body)
       SELECT to_log, former + row_number() OVER (ORDER BY given.n), given.id, 0, given.body
       FROM unnest(ids, bodies) WITH ORDINALITY AS given (id, body, n)
       WHERE NOT EXISTS (SELECT FROM muster.log l WHERE l.log = to_log AND l.entry = given.id);
     GET DIAGNOSTICS written = ROW_COUNT;
     IF written > 0 THEN
       UPDATE muster.log_end e SET last = former + written WHERE e.log = to_log;
     END IF;
     RETURN (SELECT max(l.number) FROM muster.log l WHERE l.log = to_log AND l.entry = ANY (ids));
   END $$;`,
  // What a member evaluates is in its copy, which the log makes: no other state is kept.
  'DROP TABLE muster.state, muster.consumed',
]

/**
 * Each step takes the schema from the version that is its index to the next one. All objects are in the schema
 * `muster`, and named with it, as a session's search path is not known. Never change a step that was released.
 *
 * Rights are granted to PUBLIC: they count for whoever may use the schema, which are the roles that the administrator
 * has granted it to (`rights.ts`), whatever their names. A right of PUBLIC without that of the schema is none.
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
]

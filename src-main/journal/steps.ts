/** Each step takes the journal from the version that is its index to the next one. Never change a step that was released. */
export const steps: readonly string[] = [
  `CREATE TABLE sequence (only INTEGER PRIMARY KEY CHECK (only = 1), value INTEGER NOT NULL);
   INSERT INTO sequence VALUES (1, 0);
   CREATE TABLE state (
     key TEXT PRIMARY KEY, connected INTEGER NOT NULL, at REAL NOT NULL, not_before REAL,
     since_at REAL, since_seen INTEGER NOT NULL
   ) WITHOUT ROWID;
   CREATE TABLE transition (
     id INTEGER PRIMARY KEY, key TEXT NOT NULL, at REAL NOT NULL, not_before REAL, connected INTEGER NOT NULL
   );
   CREATE INDEX transition_of ON transition (key, id);`,
  // Saved views, and what was told and is to be told. `fresh`: the last transition of each device that nobody has weighed yet.
  `CREATE TABLE view (id TEXT PRIMARY KEY, position INTEGER NOT NULL, is_default INTEGER NOT NULL, text TEXT NOT NULL) WITHOUT ROWID;
   CREATE UNIQUE INDEX view_default ON view (is_default) WHERE is_default = 1;
   CREATE TABLE fresh (key TEXT PRIMARY KEY, at REAL NOT NULL, not_before REAL, connected INTEGER NOT NULL) WITHOUT ROWID;
   CREATE TABLE dropped (key TEXT PRIMARY KEY, at REAL NOT NULL, not_before REAL, telling TEXT, back_at REAL) WITHOUT ROWID;
   CREATE TABLE telling (id TEXT PRIMARY KEY, at REAL NOT NULL, about TEXT NOT NULL, text TEXT NOT NULL) WITHOUT ROWID;
   CREATE TABLE blind (tenant TEXT PRIMARY KEY, since REAL NOT NULL, telling TEXT NOT NULL) WITHOUT ROWID;
   CREATE TABLE pause (only INTEGER PRIMARY KEY CHECK (only = 1), since REAL NOT NULL, until REAL NOT NULL);`,
]

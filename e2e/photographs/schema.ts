/** The schema as PostgreSQL describes it in its catalogue: definitions, sorted by kind and text. The job queue has a schema of its own, which belongs to its library. */
import { connect } from '../../apps/api/src/platform/db/database.ts';

const OWN = `n.nspname = 'public'`;
const NOT_OF_EXTENSION = (oid: string) =>
  `not exists (select from pg_depend e where e.objid = ${oid} and e.deptype = 'e')`;
const CLASS = `pg_class c join pg_namespace n on n.oid = c.relnamespace`;
const OF_TABLE = `join pg_class c on c.oid = x.relid join pg_namespace n on n.oid = c.relnamespace`;

/** Each answers the text of one kind of part as `text`. */
const PARTS: Readonly<Record<string, string>> = {
  tables: `select c.relname || case c.relkind when 'p' then ' partitioned' else '' end
      || case when c.relrowsecurity then ' row security' else '' end as text
    from ${CLASS} where ${OWN} and c.relkind in ('r', 'p')`,
  columns: `select c.relname || '.' || a.attname || ' ' || format_type(a.atttypid, a.atttypmod)
      || case when a.attnotnull then ' not null' else '' end
      || case when a.attidentity <> '' then ' identity ' || a.attidentity::text else '' end
      || coalesce(case when a.attgenerated <> '' then ' generated ' else ' default ' end
        || pg_get_expr(d.adbin, d.adrelid), '')
      || case when co.collname <> 'default' then ' collate ' || co.collname else '' end as text
    from ${CLASS} join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
    left join pg_collation co on co.oid = a.attcollation
    where ${OWN} and c.relkind in ('r', 'p')`,
  constraints: `select c.relname || ': ' || x.conname || ' ' || pg_get_constraintdef(x.oid, true) as text
    from (select oid, conname, conrelid as relid from pg_constraint where contype <> 'n') x
    ${OF_TABLE} where ${OWN}`,
  indexes: `select pg_get_indexdef(x.indexrelid) as text
    from (select indexrelid, indrelid as relid from pg_index) x ${OF_TABLE} where ${OWN}
    and c.relkind in ('r', 'p', 'm')`,
  triggers: `select pg_get_triggerdef(x.oid, true) as text
    from (select oid, tgrelid as relid from pg_trigger where not tgisinternal) x
    ${OF_TABLE} where ${OWN}`,
  functions: `select pg_get_functiondef(p.oid) as text
    from pg_proc p join pg_namespace n on n.oid = p.pronamespace
    where ${OWN} and p.prokind in ('f', 'p') and ${NOT_OF_EXTENSION('p.oid')}`,
  views: `select c.relname || ' as ' || pg_get_viewdef(c.oid, true) as text
    from ${CLASS} where ${OWN} and c.relkind in ('v', 'm') and ${NOT_OF_EXTENSION('c.oid')}`,
  sequences: `select s.sequencename || ' ' || s.data_type || ' start ' || s.start_value || ' by '
      || s.increment_by as text
    from pg_sequences s join pg_namespace n on n.nspname = s.schemaname where ${OWN}`,
  types: `select t.typname || ' ' || coalesce('enum ' || (select string_agg(enumlabel, ', '
        order by enumsortorder) from pg_enum where enumtypid = t.oid),
      'domain ' || format_type(t.typbasetype, t.typtypmod) || ' ' || coalesce((select
        string_agg(pg_get_constraintdef(oid), ' ') from pg_constraint where contypid = t.oid), '')) as text
    from pg_type t join pg_namespace n on n.oid = t.typnamespace
    where ${OWN} and t.typtype in ('e', 'd') and ${NOT_OF_EXTENSION('t.oid')}`,
  grants: `select c.relname || ' to ' || coalesce(r.rolname, 'public') || ': '
      || string_agg(g.privilege_type, ', ' order by g.privilege_type) as text
    from ${CLASS} cross join aclexplode(c.relacl) g left join pg_roles r on r.oid = g.grantee
    where ${OWN} group by c.relname, r.rolname`,
  'column grants': `select c.relname || '.' || a.attname || ' to ' || coalesce(r.rolname, 'public')
      || ': ' || string_agg(g.privilege_type, ', ' order by g.privilege_type) as text
    from ${CLASS} join pg_attribute a on a.attrelid = c.oid
    cross join aclexplode(a.attacl) g left join pg_roles r on r.oid = g.grantee
    where ${OWN} group by c.relname, a.attname, r.rolname`,
  extensions: `select extname as text from pg_extension`,
};

export async function describeSchema(databaseUrl: string): Promise<string> {
  const sql = connect(databaseUrl, 1);
  try {
    const parts: string[] = [];
    for (const [kind, query] of Object.entries(PARTS)) {
      const rows = await sql.unsafe<{ text: string }[]>(query);
      const texts = rows.map(({ text }) => text.trimEnd()).toSorted();
      parts.push(`-- ${kind}\n${texts.join('\n')}\n`);
    }
    return parts.join('\n');
  } finally {
    await sql.end();
  }
}

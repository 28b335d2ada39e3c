import type { Warning } from '../../kernel/failures/warning.ts'
import { warnOfMails } from '../../messages/notification-templates/check-content.ts'
import { scriptWarnings } from '../../scripts/source/script-warnings.ts'
import { transitionRoleWarnings } from '../../tables/tables/checks/check-table.ts'
import type { Field } from '../../tables/tables/schema.ts'

/** What a table names: its fields, and the scripts of its hooks. */
interface NamingTable {
  readonly name: string
  readonly table_fields: readonly Field[]
  readonly automations: readonly { readonly script: string }[]
}

/** What a table can hardly mean: roles and templates that do not exist, fields that it lacks, values that a mail does not get. */
export async function tableWarnings(
  { name, table_fields, automations }: NamingTable,
  known: {
    readonly roles: readonly string[]
    readonly templates: () => Promise<ReadonlyMap<string, readonly string[]>>
  },
): Promise<Warning[]> {
  const fields = table_fields.map((field) => field.name)
  const ofScripts = await Promise.all(
    automations.map(async ({ script }, index) => {
      const path = `automations.${index}.script`
      const own = scriptWarnings(script, { name, fields }).map((warning): Warning => ({ path, ...warning }))
      return [...own, ...(await warnOfMails(script, path, fields, known.templates))]
    }),
  )
  return [...transitionRoleWarnings(table_fields, known.roles), ...ofScripts.flat()]
}

import { gunzipSync } from 'node:zlib'
import type { Warning } from '../../kernel/failures/warning.ts'
import { publicTable } from '../../kernel/table-names.ts'
import type { Tenant, TenantRef } from '../../kernel/tenancy.ts'
import type { Config } from '../../platform/store/config.ts'
import { processVersionKey } from '../../platform/store/keys/processes.ts'
import type { Store } from '../../platform/store/store.ts'
import { readStoredTable, type Table } from '../../tables/tables/table.ts'

interface Named {
  /** What holds the text, as a person calls it. */
  readonly what: string
  readonly path: string
  readonly text: string
}

/**
 * The texts that may still name a field by its former name: scripts of other tables and of rules, processes, templates.
 * Rules and formulas are changed with the rename, so they are not among them; neither are the table's own hooks, whose
 * scripts are always checked for names of fields that the table lacks.
 */
export async function renameWarnings(
  { store, config }: { readonly store: Pick<Store, 'getMany'>; readonly config: Pick<Config, 'listFresh'> },
  tenant: Tenant,
  { name: model, renamed = {}, fieldsByName }: Pick<Table, 'name' | 'renamed' | 'fieldsByName'>,
): Promise<Warning[]> {
  const former = Object.entries(renamed).filter(([, name]) => !fieldsByName.has(name))
  if (former.length === 0) return []
  const texts = [
    ...(await hookTexts(config, tenant, model)),
    ...(await processTexts({ store, config }, tenant, model)),
    ...(await messageTexts(config, tenant, model)),
  ]
  return texts.flatMap(({ what, path, text }) =>
    former
      .filter(([, name]) => names(text, name))
      .map(([name, before]): Warning => ({
        path,
        code: 'dangling',
        message: `${what} names ${before}, which is called ${name} now in ${model}.`,
      })),
  )
}

/** For how long addresses lead from a former name to its table, those names are looked for in texts. */
export async function tableRenameWarnings(
  { store, config }: { readonly store: Pick<Store, 'getMany'>; readonly config: Pick<Config, 'listFresh'> },
  tenant: Tenant,
  { name: model }: Pick<Table, 'name'>,
): Promise<Warning[]> {
  const former = Object.entries(tenant.renamedTables?.former ?? {}).flatMap(([name, { table }]) =>
    table === model ? [name] : [],
  )
  if (former.length === 0) return []
  const name = publicTable(tenant, model)
  const [hooks, rules, templates] = await Promise.all(
    (['TABLE', 'INCOMING_ACTION', 'NOTIFICATION_TEMPLATE'] as const).map((kind) => config.listFresh(tenant, kind)),
  )
  const texts: Named[] = [
    ...(hooks ?? []).flatMap((row) =>
      readStoredTable(row).automations.map((hook, index) => ({
        what: `The hook ${hook.name} of ${publicTable(tenant, row.name)}`,
        path: `tables.${row.name}.automations.${index}.script`,
        text: hook.script,
      })),
    ),
    ...(await processTexts({ store, config }, tenant)),
    ...(rules ?? []).flatMap(({ doc }) => {
      const rule = doc as { readonly name: string; readonly script: string | null }
      return rule.script === null
        ? []
        : [
            {
              what: `The incoming action ${rule.name}`,
              path: `incoming_actions.${rule.name}.script`,
              text: rule.script,
            },
          ]
    }),
    ...(templates ?? []).flatMap(({ doc }) => {
      const { code = '', ...rest } = doc as { readonly code?: string }
      return [
        {
          what: `The notification template ${code}`,
          path: `notification_templates.${code}`,
          text: JSON.stringify(rest),
        },
      ]
    }),
  ]
  return texts.flatMap(({ what, path, text }) =>
    former
      .filter((before) => namesTable(text, before))
      .map((before): Warning => ({
        path,
        code: 'dangling',
        message: `${what} names ${before}, as the table was called that is ${name} now.`,
      })),
  )
}

/** Whether a text has a name where one names a table: as a text of its own, or as a step of an address. */
const namesTable = (text: string, name: string): boolean =>
  new RegExp(`(["'\`]|&(?:quot|apos|#39|#34);)${name}(?:["'\`\\\\]|&)|/${name}(?![\\w-])`).test(text)

/** Whether a text has a name as a word of its own. */
const names = (text: string, name: string): boolean => new RegExp(`(?<![\\w])${name}(?![\\w])`).test(text)

async function hookTexts(config: Pick<Config, 'listFresh'>, tenant: Tenant, model: string): Promise<Named[]> {
  return (await config.listFresh(tenant, 'TABLE')).flatMap((row) =>
    row.name === model
      ? []
      : readStoredTable(row)
          .automations.filter(({ script }) => names(script, model) || names(script, publicTable(tenant, model)))
          .map(({ name, script }, index) => ({
            what: `The hook ${name} of ${row.name}`,
            path: `tables.${row.name}.automations.${index}.script`,
            text: script,
          })),
  )
}

async function processTexts(
  { store, config }: { readonly store: Pick<Store, 'getMany'>; readonly config: Pick<Config, 'listFresh'> },
  tenant: TenantRef,
  model?: string,
): Promise<Named[]> {
  const rows = (await config.listFresh(tenant, 'PROCESS')).filter((row) => {
    if (model === undefined) return true
    const { table, named } = row.doc as { readonly table?: string; readonly named?: { readonly tables?: string[] } }
    return table === model || named?.tables?.includes(model) === true
  })
  const keys = rows.map((row) => processVersionKey(tenant, (row.doc as { readonly id: number }).id, row.version))
  const items = keys.length > 0 ? await store.getMany(tenant, keys) : []
  return rows.flatMap(({ name }, index) => {
    const xml = items[index]?.xml
    return xml instanceof Uint8Array
      ? [{ what: `The process ${name}`, path: `processes.${name}.xml`, text: gunzipSync(xml).toString('utf8') }]
      : []
  })
}

/** The scripts of rules for messages that make records of the table, and the templates that its subscriptions send. */
async function messageTexts(config: Pick<Config, 'listFresh'>, tenant: TenantRef, model: string): Promise<Named[]> {
  const [rules, subscriptions] = await Promise.all([
    config.listFresh(tenant, 'INCOMING_ACTION'),
    config.listFresh(tenant, 'SUBSCRIPTION'),
  ])
  const scripts = rules.flatMap(({ doc }) => {
    const { name, script, targetModel } = doc as { name: string; script: string | null; targetModel: string }
    return targetModel === model && script
      ? [{ what: `The incoming action ${name}`, path: `incoming_actions.${name}.script`, text: script }]
      : []
  })
  const sent = new Set(
    subscriptions.flatMap(({ doc }) => {
      const { table, template } = doc as { readonly table?: string; readonly template?: string | null }
      return table === model && template ? [template] : []
    }),
  )
  if (sent.size === 0) return scripts
  const templates = (await config.listFresh(tenant, 'NOTIFICATION_TEMPLATE')).flatMap(({ doc }) => {
    const { code = '', ...rest } = doc as { readonly code?: string }
    const placeholders = (JSON.stringify(rest).match(/\{\{[^}]*\}\}/g) ?? []).join(' ')
    return sent.has(code)
      ? [{ what: `The notification template ${code}`, path: `notification_templates.${code}`, text: placeholders }]
      : []
  })
  return [...scripts, ...templates]
}

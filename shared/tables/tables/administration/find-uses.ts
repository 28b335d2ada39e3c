import type { TenantRef } from '../../../kernel/tenancy.ts'
import type { Config, ConfigRow } from '../../../platform/store/config.ts'
import { referencedTable, rolesIn, typeOfField } from '../../field-types/read-field.ts'
import { readTable } from '../table.ts'

/** An object that others name. A channel is named by its name or its id, a mailbox by its id. */
export type Used =
  | { readonly kind: 'table' | 'role' | 'template' | 'process' | 'decision'; readonly name: string }
  | { readonly kind: 'channel' | 'mailbox'; readonly name: string; readonly id: number }

/** What a process names; kept in its row, so that nobody has to open its document. */
export interface NamedByProcess {
  readonly tables: readonly string[]
  readonly roles: readonly string[]
  readonly templates: readonly string[]
  readonly channels: readonly string[]
  /** The codes of the processes that it calls. */
  readonly processes?: readonly string[]
  /** The codes of the decisions that it evaluates. */
  readonly decisions?: readonly string[]
}

type Doc = Readonly<Record<string, unknown>>
type Finder = (row: ConfigRow & { readonly doc: Doc }, used: Used) => string | undefined

/*
 * The rows of other slices are read as they lie: what they name is looked up below them, so that nothing that is deleted
 * leaves a name dangling.
 */
const finders: readonly (readonly [Parameters<Config['listFresh']>[1], Finder])[] = [
  [
    'TABLE',
    (row, { kind, name }) => {
      const table = readTable(row)
      if (
        kind === 'table' &&
        table.name !== name &&
        table.table_fields.some((field) => referencedTable(field) === name)
      )
        return `The table ${table.name} refers to it.`
      const rollup = table.table_fields.find((field) => typeOfField(field).rollsUp?.(field)?.table === name)
      if (kind === 'table' && table.name !== name && rollup)
        return `The field ${table.name}.${rollup.name} rolls its records up.`
      const transition = table.table_fields.find((field) => rolesIn(field).some(({ role }) => role === name))
      return kind === 'role' && transition ? `Transitions of ${table.name}.${transition.name} name it.` : undefined
    },
  ],
  [
    'RELATION',
    ({ doc }, { kind, name }) =>
      kind === 'table' && (doc.l_table === name || doc.r_table === name)
        ? `It takes part in the relation ${String(doc.name)}.`
        : undefined,
  ],
  [
    'PROCESS',
    ({ name: code, doc }, used) => {
      if (used.kind === 'table' && doc.table === used.name) return `The process ${code} is about it.`
      const named = (doc.named ?? {}) as Partial<NamedByProcess>
      if (used.kind === 'process')
        return code !== used.name && named.processes?.includes(used.name) ? `The process ${code} calls it.` : undefined
      if (used.kind === 'mailbox') return undefined
      const isNamed =
        used.kind === 'channel'
          ? named.channels?.some((one) => one === used.name || one === String(used.id))
          : named[`${used.kind}s`]?.includes(used.name)
      return isNamed ? `The process ${code} names it.` : undefined
    },
  ],
  [
    'SUBSCRIPTION',
    ({ doc }, used) => {
      const isNamed =
        (used.kind === 'table' && doc.table === used.name) ||
        (used.kind === 'channel' && doc.channelId === used.id) ||
        (used.kind === 'template' && doc.template === used.name) ||
        (used.kind === 'role' && Array.isArray(doc.roles) && doc.roles.includes(used.name))
      return isNamed ? `The subscription ${String(doc.name)} names it.` : undefined
    },
  ],
  [
    'VIEW',
    ({ doc }, { kind, name }) => {
      if (kind === 'table' && doc.model === name) return `The shared view ${String(doc.name)} lists it.`
      const isNamed = kind === 'role' && Array.isArray(doc.roles) && doc.roles.includes(name)
      return isNamed ? `The shared view ${String(doc.name)} is for it.` : undefined
    },
  ],
  [
    'INCOMING_ACTION',
    ({ doc }, used) => {
      if (used.kind === 'mailbox')
        return Array.isArray(doc.mailboxIds) && doc.mailboxIds.includes(used.id)
          ? `The incoming action ${String(doc.name)} names it.`
          : undefined
      return used.kind === 'table' && doc.targetModel === used.name
        ? `The incoming action ${String(doc.name)} creates records of it.`
        : undefined
    },
  ],
  [
    'MAILBOX',
    ({ doc }, used) => {
      if (used.kind === 'table' && doc.table === used.name)
        return `The mailbox ${String(doc.name)} creates records of it.`
      return used.kind === 'channel' && doc.channelId === used.id
        ? `Answers leave from the mailbox ${String(doc.name)} through it.`
        : undefined
    },
  ],
  [
    'AUTH_MAPPING',
    ({ doc }, { kind, name }) =>
      kind === 'role' && Array.isArray(doc.roles) && doc.roles.includes(name)
        ? `The mapping of the group ${String(doc.group)} gives it.`
        : undefined,
  ],
]

/** So many uses show what to change first. */
const maxUses = 5

/** What names an object of the configuration, in sentences; empty when nothing does, and it may be deleted. */
export async function findUses(
  config: Pick<Config, 'listFresh'>,
  tenant: TenantRef,
  used: Used,
): Promise<readonly string[]> {
  const uses: string[] = []
  for (const [kind, find] of finders) {
    for (const row of await config.listFresh(tenant, kind)) {
      const use = find(row as Parameters<Finder>[0], used)
      if (use !== undefined) uses.push(use)
      if (uses.length === maxUses) return uses
    }
  }
  return uses
}

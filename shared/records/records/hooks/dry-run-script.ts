import { NotFound } from '../../../kernel/failures/faults.ts'
import { isoTime } from '../../../kernel/time/clock.ts'
import { recordKey } from '../../../platform/store/keys/records.ts'
import { readSurvivor } from '../../../platform/store/ranges/merged-records.ts'
import { readSequence } from '../../../platform/store/sequence/sequence.ts'
import type { FlatRecord, RecordAccess } from '../../../scripts/api/record-access.ts'
import { scriptAllowance, stepInto } from '../../../scripts/api/script-chain.ts'
import type { DryRun, ScriptToRun } from '../../../scripts/schema.ts'
import type { Table } from '../../../tables/tables/table.ts'
import type { Actor } from '../actor.ts'
import type { RecordDependencies } from '../dependencies.ts'
import { readLivingRecord, type RecordData, type StoredRecord } from '../record-item.ts'
import { openRules } from '../rules/open-rules.ts'
import { checkChangedFields, checkNewFields } from '../write/check-fields.ts'
import { requireReferences } from '../write/check-references.ts'
import type { HookContext } from './run-hook.ts'
import { flatRecord } from './script-records.ts'

/** A script to run dry. `incoming`: the message of a rule, whose kind is `incoming`. */
export type ScriptToTry = Omit<ScriptToRun, 'kind'> & {
  readonly kind: ScriptToRun['kind'] | 'incoming'
  readonly incoming?: object
}

/**
 * Runs a script as a hook of `model`, or as the rule of a message, without effects: reads are real, writes are validated and answered but not stored,
 * and nothing is sent. A failing script is a result, not an error.
 */
export async function dryRunScript(
  services: RecordDependencies,
  context: HookContext,
  actor: Actor,
  input: ScriptToTry,
): Promise<DryRun> {
  const { clock } = services
  const table = await services.tables.require(actor.tenant, input.model)
  const notifications = context.runtime.notifications({ isDryRun: true })
  const script: Actor = { ...actor, isAdministrator: true }
  const { records, written } = dryRunRecords(services, context.recordsFor(script), script)
  const result = await context.runtime.run({
    tenant: actor.tenant,
    kind: input.kind,
    script: input.script,
    model: table.name,
    recordId: input.id ?? null,
    record: await recordBefore(services, actor, input),
    operationSource: input.kind === 'incoming' ? 'rule' : 'api',
    runId: clock.uuid(),
    chain: stepInto({ path: [], allowance: scriptAllowance() }, `${table.name}.${input.kind}`),
    user: { id: actor.userId, name: actor.name ?? '', email: actor.email ?? '', roles: actor.roles },
    variables: {
      data: input.data ?? {},
      ...(input.old && { old: input.old }),
      ...(input.incoming && { incoming: input.incoming }),
    },
    records,
    notifications,
    mayWrite: !input.kind.startsWith('before_'),
    isDryRun: true,
  })
  if (result.defect !== undefined) throw result.defect
  const { error } = result
  return {
    status: result.status,
    data: result.data ?? input.data ?? {},
    returned: result.returned,
    log: [...result.log],
    error: error
      ? {
          message: error.message,
          line: error.line ?? null,
          column: error.column ?? null,
          ...(error.field && { field: error.field }),
        }
      : null,
    sent: notifications.accepted.map((intent) => ({ ...intent })),
    written,
    ms: Math.round(10 * result.ms) / 10,
    calls: result.calls,
  }
}

/** `$record` of the operation that is tried. */
async function recordBefore(
  { store, tables }: Pick<RecordDependencies, 'store' | 'tables'>,
  { tenant }: Actor,
  { kind, model, id }: ScriptToTry,
): Promise<StoredRecord | undefined> {
  const isNew = kind === 'incoming' || kind === 'before_create'
  if (id === undefined || isNew) return undefined
  return readLivingRecord(await store.get(tenant, recordKey(tenant, model, id)), await tables.require(tenant, model))
}

/** Keeps the writes of a dry run in memory, so that the script reads its own changes. */
function dryRunRecords(services: RecordDependencies, real: RecordAccess, actor: Actor) {
  const { store, tables, clock } = services
  const { tenant } = actor
  const written: Record<string, unknown>[] = []
  const changed = new Map<string, StoredRecord | undefined>()
  const firstId = new Map<string, number>()

  async function read(model: string, id: number): Promise<StoredRecord | undefined> {
    const key = `${model}#${id}`
    if (changed.has(key)) return changed.get(key)
    if (id < 1) return undefined
    return readLivingRecord(await store.get(tenant, recordKey(tenant, model, id)), await tables.require(tenant, model))
  }

  /** What a merged record is part of. */
  async function readMerged(table: Table, id: number): Promise<StoredRecord | undefined> {
    if (id < 1 || changed.has(`${table.name}#${id}`)) return undefined
    const survivor = await readSurvivor(store, tenant, { model: table.name, id })
    return survivor && read(table.name, survivor.ref.id)
  }

  async function nextId(model: string): Promise<number> {
    const id = firstId.get(model) ?? (await readSequence(store, tenant, model)).last + 1
    firstId.set(model, id + 1)
    return id
  }

  const records: RecordAccess = {
    ...real,
    async get(model, id) {
      const table = await tables.require(tenant, model)
      const record = (await read(model, id)) ?? (await readMerged(table, id))
      return record ? flatRecord(table, record) : false
    },
    async create(model, body): Promise<FlatRecord> {
      const table = await tables.require(tenant, model)
      const data = checkNewFields(table, body, await openRules(services, actor, table))
      await requireReferences(services, tenant, table, data, Object.keys(data))
      const id = await nextId(model)
      const at = isoTime(clock.now())
      const record = {
        id,
        tenant_id: tenant.id,
        created_by: actor.userId,
        updated_by: actor.userId,
        created_at: at,
        updated_at: at,
        version: 1,
        data,
      }
      changed.set(`${model}#${id}`, record)
      written.push({ action: 'create', model, id, data })
      return flatRecord(table, record)
    },
    async startProcess(code, model, id) {
      await tables.require(tenant, model)
      if (!(await read(model, id))) throw new NotFound('record', { model, id })
      written.push({ action: 'start_process', code, model, id })
      return 0
    },
    async sendProcessMessage(name, key, variables) {
      written.push({ action: 'send_process_message', name, ...(key !== undefined && { key }), data: variables })
      return 0
    },
    async update(model, id, body): Promise<FlatRecord> {
      const table = await tables.require(tenant, model)
      const before = await read(model, id)
      if (!before) throw new NotFound('record', { model, id })
      const rules = await openRules(services, actor, table, before)
      const data: RecordData = checkChangedFields(table, before.data, body, actor, { rules })
      await requireReferences(services, tenant, table, data, Object.keys(body))
      const record = {
        ...before,
        data,
        updated_by: actor.userId,
        updated_at: isoTime(clock.now()),
        version: before.version + 1,
      }
      changed.set(`${model}#${id}`, record)
      written.push({ action: 'update', model, id, data: body })
      return flatRecord(table, record)
    },
    async remove(model, id) {
      await tables.require(tenant, model)
      if (!(await read(model, id))) throw new NotFound('record', { model, id })
      changed.set(`${model}#${id}`, undefined)
      written.push({ action: 'remove', model, id })
    },
  }
  return { records, written }
}

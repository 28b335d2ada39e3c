import { compileProcess } from '../../../shared/automation/bpmn/document/compile-process.ts'
import type { CompiledProcess } from '../../../shared/automation/bpmn/shapes/compiled-process.ts'
import type { AdvanceDependencies } from '../../../shared/automation/processes/dependencies.ts'
import {
  commandItem,
  type ProcessCommand,
  readCommandRows,
} from '../../../shared/automation/processes/rows/command-rows.ts'
import { readInstance } from '../../../shared/automation/processes/rows/instance-row.ts'
import { readTask, type Task } from '../../../shared/automation/processes/rows/task-row.ts'
import { advanceInstance } from '../../../shared/automation/processes/runtime/advance-instance.ts'
import { completionWrites } from '../../../shared/automation/processes/steps/completion-writes.ts'
import { startInstance } from '../../../shared/automation/processes/steps/start-instance.ts'
import type { PrincipalRef } from '../../../shared/kernel/principal.ts'
import { commandRowsPrefix, instanceKey, instanceRowsPartition } from '../../../shared/platform/store/keys/processes.ts'
import { recordKey } from '../../../shared/platform/store/keys/records.ts'
import { readAll } from '../../../shared/platform/store/ranges/read-all.ts'
import type { Store } from '../../../shared/platform/store/store.ts'
import type { Table } from '../../../shared/tables/tables/table.ts'
import { endingClock, type FrozenClock } from '../builders/frozen-clock.ts'
import { bpmn } from '../builders/processes/processes.ts'
import { recordDependencies } from '../builders/records/record-dependencies.ts'
import { memoryObjects } from './stores/memory-objects.ts'
import type { SingleTable } from './stores/single-table.ts'

const tenant = { id: 1, slug: 'acme', name: 'Acme Ltd', configVersion: 1 }
const person = { userId: 3 }

/** Runs processes on a table in memory, without expressions and scripts: a step is one call, and any call of it may fail. */
export function processRunner(single: SingleTable, clock: FrozenClock, tables: readonly Table[]) {
  const objects = memoryObjects()
  const processes: CompiledProcess[] = []
  const templates: { id: number; code: string; version: 1; table: string; isActive: boolean }[] = []
  const wakes: number[] = []
  /** What steps asked to be sent: the method and its arguments. */
  const sent: (readonly unknown[])[] = []
  let refusal: Error | undefined
  const depsOf = (store: Store): AdvanceDependencies => {
    const records = recordDependencies(store, clock, tables)
    return {
      store,
      clock: endingClock(clock),
      objects,
      records,
      leaseMs: 20_000,
      config: { list: async () => templates },
      tables: { ...records.tables, find: records.tables.require },
      wakeLater: async (_tenant: object, _id: number, seconds: number) => void wakes.push(seconds),
      openProcess: async (_tenant: object, id: number) => processes[id],
      openScripts: async () => ({
        runtime: {
          notifications: () => ({
            writes: [],
            ask: async (method: string, args: readonly unknown[]) => {
              if (refusal) throw refusal
              sent.push([method, ...args])
              return true
            },
          }),
        },
      }),
    } as unknown as AdvanceDependencies
  }
  const services = depsOf(single.store)
  const advance = (id: number, store: Store = single.store): Promise<void> => advanceInstance(depsOf(store), tenant, id)
  const rowsOf = async (id: number) =>
    readCommandRows(
      await readAll(single.store, tenant, { pk: instanceRowsPartition(tenant, id), prefix: commandRowsPrefix }),
    )
  const command = (id: number, one: ProcessCommand, by: PrincipalRef = person) =>
    single.store.write(tenant, {
      put: commandItem(tenant, id, one, by, { nowMs: clock.now(), uuid: clock.uuid() }),
    })

  const compile = async (elements: string): Promise<number> => {
    const compiled = await compileProcess(bpmn(elements))
    if ('findings' in compiled) throw new Error(JSON.stringify(compiled.findings))
    return processes.push(compiled.process) - 1
  }

  return {
    tenant,
    wakes,
    sent,
    advance,
    command,
    /** Has every notification refused from now on. */
    refuseNotifications: (error: Error | undefined) => void (refusal = error),
    /** Stores an instance of a process with these elements, and does not run it. */
    async make(elements: string, model: string, recordId: number, hops = 0, variables: object = {}): Promise<number> {
      const template = { id: await compile(elements), code: 'check', version: 1, table: model }
      const { id } = await startInstance(services, tenant, template as never, {
        model,
        recordId,
        by: person,
        source: 'api',
        hops,
        variables: { ...variables },
      })
      return id
    },
    /** Stores a template that processes may call. */
    async define(code: string, table: string, elements: string): Promise<void> {
      templates.push({ id: await compile(elements), code, version: 1, table, isActive: true })
    },
    /** Advances all instances until nothing is left to do, as the runner does. */
    async settle(store: Store = single.store): Promise<void> {
      for (let rounds = 0; rounds < 100; rounds++) {
        const open = (await single.itemsOf(`T#${tenant.id}#PX#`)).filter(
          ({ kind, parked }) => (kind === 'process_command' || kind === 'process_report') && parked !== true,
        )
        const ids = new Set(open.map(({ pk }) => Number(String(pk).split('#').at(-1))))
        if (ids.size === 0) return
        for (const id of ids) await advance(id, store)
      }
      throw new Error('the instances do not come to rest')
    },
    async instance(id: number) {
      const item = await single.store.get(tenant, instanceKey(tenant, id))
      if (!item) throw new Error(`there is no instance ${id}`)
      return readInstance(item, objects.fetchObject)
    },
    /** The open commands by kind, and the timers by element; those that wait for a retry in brackets. */
    async open(id: number): Promise<string[]> {
      const { commands, timers } = await rowsOf(id)
      const all = [
        ...commands.map((one) => ({ name: one.command.kind, ...one })),
        ...timers.map((one) => ({ name: one.elementId, ...one })),
      ]
      return all.map(({ name, isSuspended }) => (isSuspended ? `(${name})` : name))
    },
    async tasks(id: number): Promise<Task[]> {
      const items = await single.itemsOf(`T#${tenant.id}#PT`)
      return items
        .filter(({ kind }) => kind === 'process_task')
        .map(readTask)
        .filter(({ instanceId }) => instanceId === id)
    },
    /** Completes a task as a person does, and runs what follows. */
    async complete(task: Task, outcome: string | null = null, store: Store = single.store, hops = 0): Promise<void> {
      const { writes } = completionWrites(services, tenant, task, person, { outcome, variables: {}, hops })
      await single.store.transact(tenant, writes, clock.uuid())
      await advance(task.instanceId, store)
    },
    async retry(id: number): Promise<void> {
      await command(id, { kind: 'retry' })
      await advance(id)
    },
    record: (model: string, id: number) => single.store.get(tenant, recordKey(tenant, model, id)),
  }
}

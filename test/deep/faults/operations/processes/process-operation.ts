import { expect } from 'vitest'
import { activitiesOf } from '../../../../../shared/automation/processes/instances/activity-history.ts'
import { readActivities } from '../../../../../shared/automation/processes/rows/activities-row.ts'
import { instanceRowsPartition } from '../../../../../shared/platform/store/keys/processes.ts'
import { bpmn, makeProcess } from '../../../../make/builders/processes/processes.ts'
import { makeTable } from '../../../../make/builders/records/tables.ts'
import type { Operation } from '../../enumerate-faults.ts'
import type { World } from '../../world.ts'

/** How long a concurrent worker may delay the first one. */
const concurrentWorkerMs = 1500

/** One record with its process instance. */
export interface Subject {
  readonly world: World
  readonly model: string
  /** The table in which its steps create records, named by their field `what`. */
  readonly made: string
  readonly recordId: number
  /** Creates the record, which starts its process. */
  create(): Promise<void>
  /** Sends a request until it is answered. After a lost answer, 404, 409 and 422 mean that it was done already. */
  send(method: string, path: string, body?: unknown): Promise<void>
  instance(): Promise<any>
  /** Pending tasks, of one element if it is given, oldest first. */
  tasks(elementId?: string): Promise<any[]>
}

interface ProcessOperation {
  readonly name: string
  /** The content of the process; `made` is the table for the records of its steps. */
  readonly elements: (made: string, called: string) => string
  /** The content of a process that it calls; `elements` gets its code. */
  readonly called?: (made: string) => string
  /** What happens without a fault once the record exists and its process waits. `nothing`: `act` creates the record. */
  readonly before?: ((subject: Subject) => Promise<void>) | 'nothing'
  readonly act: (subject: Subject) => Promise<void>
  readonly end: Ending
  /** Whose calls meet faults; by default those of processes and of the sweeper. */
  readonly among?: RegExp
  /**
   * A concurrent request at any call, and the endings it may lead to. When absent, a second worker runs the same
   * instance.
   */
  readonly meanwhile?: { readonly act: (subject: Subject) => Promise<unknown>; readonly ends: readonly Ending[] }
}

interface Ending {
  readonly status: string
  /** Names of the records that the steps created. */
  readonly made: readonly string[]
  /** Notifications about this record. */
  readonly notifications?: number
}

const sorted = ({ status, made, notifications = 0 }: Ending): Ending => ({
  status,
  made: [...made].sort(),
  notifications,
})

/**
 * An operation on a process instance: it must end as it does without a fault, whatever fault its functions meet, even
 * when a second worker runs the same instance at any call.
 */
export function processOperation(operation: ProcessOperation): Operation {
  const { name, elements, called, before, act, end, among = /process|sweeper/i, meanwhile } = operation
  let plain: object | undefined
  return {
    name,
    // The lease of a worker that dies in a step expires after this time.
    environment: { PROCESS_LEASE_MS: '400' },
    among,
    onlyInterference: meanwhile !== undefined,
    async prepare(world, n) {
      const { service } = world
      const [model, made] = [`orders_${n}`, `made_${n}`]
      await makeTable(service, made, [{ name: 'what', type: 'text' }])
      await makeTable(service, model, [
        { name: 'title', type: 'text' },
        { name: 'amount', type: 'integer' },
      ])
      if (called) await makeProcess(service, model, `called_${n}`, bpmn(called(made)))
      await makeProcess(service, model, `order_${n}`, bpmn(elements(made, `called_${n}`)), { is_auto_start: true })
      const subject = subjectOf(world, model, made)
      if (before !== 'nothing') {
        await subject.create()
        await world.drain()
        await before?.(subject)
      }
      let isDisturbed = false
      const interfere = async () => {
        isDisturbed = true
        await meanwhile?.act(subject)
      }
      // Both workers may wait for the same promise inside of the function, such as a template that is being read, which
      // resolves only when the first one continues: this bounds the wait.
      const workConcurrently = () =>
        Promise.race([run(), new Promise((resolve) => setTimeout(resolve, concurrentWorkerMs))])
      const run = async () => {
        const { id } = (await subject.instance()) ?? { id: 0 }
        await service.cloud.invoke('process-runner', {
          Records: [{ messageId: '1', body: JSON.stringify({ v: 1, tenant_id: 1, instance_id: id }) }],
        })
      }
      return {
        models: [model, made],
        async act() {
          await act(subject)
          return async () => {
            const picture = await summaryOf(subject)
            const came = sorted({ ...picture, status: picture.instances.map(({ status }) => status).join() })
            if (isDisturbed && meanwhile) return expect([end, ...meanwhile.ends].map(sorted)).toContainEqual(came)
            expect(came).toEqual(sorted(end))
            plain ??= picture
            expect(picture).toEqual(plain)
          }
        },
        interfere: meanwhile ? interfere : workConcurrently,
      }
    },
  }
}

function subjectOf(world: World, model: string, made: string): Subject {
  // The first record of its table.
  const recordId = 1
  const query = `model=${model}&record_id=${recordId}`
  return {
    world,
    model,
    made,
    recordId,
    async create() {
      await world.ask('POST', `/api/e/${model}`, { title: 'A' })
    },
    async send(method, path, body) {
      for (let tries = 1; ; tries += 1) {
        const answer = await world.api(method, path, body).catch(() => undefined)
        if (answer && answer.status < 400) return
        // A request without an answer may have been done: then the repeat finds nothing to do.
        if (tries > 1 && answer && [404, 409, 422].includes(answer.status)) return
        if (tries === 8 || (answer && answer.status < 500 && answer.status !== 429))
          throw new Error(`${method} ${path}: ${answer?.status} ${JSON.stringify(answer?.body)}`)
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
    },
    async instance() {
      const [instance] = (await world.ask('GET', `/api/sys/process-instances?${query}`)).body.data
      return instance
    },
    async tasks(elementId) {
      const tasks: any[] = (await world.ask('GET', `/api/sys/process-tasks?${query}&status=pending&per_page=100`)).body
        .data
      return tasks
        .filter((task) => elementId === undefined || task.element_id === elementId)
        .toSorted((a, b) => a.id - b.id)
    },
  }
}

/** The state of the record's processes, without ids and times. */
async function summaryOf({ world, model, made, recordId }: Subject) {
  const items = await world.items()
  const about = (wanted: string) =>
    items.filter(({ kind, model: of, record_id }) => kind === wanted && of === model && record_id === recordId)
  const instanceIds = about('process_instance').map(({ sk }) => Number(sk))
  const instances = about('process_instance').map(({ sk, status }) => {
    const id = Number(sk)
    const steps = items.filter(
      ({ kind, pk }) => kind === 'process_activities' && pk === instanceRowsPartition({ id: 1 }, id),
    )
    const history = activitiesOf(steps.flatMap(readActivities))
    return { status, history: history.map((one) => `${one.execution_id} ${one.status}`).sort() }
  })
  return {
    instances,
    tasks: about('process_task')
      .map(({ execution_id, status, outcome }) => `${execution_id} ${status} ${outcome}`)
      .sort(),
    incidents: about('process_incident')
      .map(({ element_id, status }) => `${element_id} ${status}`)
      .sort(),
    operations: items
      .filter(
        ({ kind, pk, refusal }) =>
          kind === 'process_operation' &&
          !refusal &&
          instanceIds.some((id) => pk === instanceRowsPartition({ id: 1 }, id)),
      )
      .map(({ action }) => String(action))
      .sort(),
    made: items
      .filter(({ pk }) => pk.startsWith(`T#1#R#${made}#`))
      .map(({ data }) => (JSON.parse(String(data)) as { what: string }).what)
      .sort(),
    notifications: about('notification').length,
  }
}

/** A service task that creates a record with this `what`. */
export const makes = (what: string, table: string): string =>
  `<serviceTask id="make_${what}" wf:action="createRecord"><extensionElements><wf:createRecord table="${table}"><wf:set field="what" value="${what}"/></wf:createRecord></extensionElements></serviceTask>`

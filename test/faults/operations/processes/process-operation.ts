import { expect } from 'vitest'
import { activitiesOf } from '../../../../shared/processes/instances/activity-history.ts'
import { readActivities } from '../../../../shared/processes/rows/activities-row.ts'
import { instanceRowsPartition } from '../../../../shared/store/keys/processes.ts'
import { recordPartition } from '../../../../shared/store/keys/records.ts'
import { bpmn, makeProcess } from '../../../make/builders/processes/processes.ts'
import { makeTable } from '../../../make/builders/tables.ts'
import type { Operation } from '../../enumerate.ts'
import type { World } from '../../world.ts'

/** So long a second worker may hold up the first. */
const besideAtMostMs = 1500

/** One record with its process. */
export interface Subject {
  readonly world: World
  readonly model: string
  /** Where the steps of its process make records; `what` names them. */
  readonly made: string
  readonly recordId: number
  /** Makes the record, and so starts its process. */
  create(): Promise<void>
  /** Says to the service what somebody wants, until it is answered; done before is as good, once an answer was lost. */
  say(method: string, path: string, body?: unknown): Promise<void>
  instance(): Promise<any>
  /** Pending ones, of this element when one is named, oldest first. */
  tasks(elementId?: string): Promise<any[]>
}

interface ProcessOperation {
  readonly name: string
  /** The process; `made` is the table for what its steps make. */
  readonly elements: (made: string) => string
  /** What happened before, without a fault, when the record is there and its process waits. `nothing`: the act makes the record. */
  readonly before?: ((subject: Subject) => Promise<void>) | 'nothing'
  readonly act: (subject: Subject) => Promise<void>
  readonly end: Ending
  /** What somebody else wants in any moment of it, and what may come of both. Without, a second one works on the same instance. */
  readonly meanwhile?: { readonly act: (subject: Subject) => Promise<unknown>; readonly ends: readonly Ending[] }
}

interface Ending {
  readonly status: string
  /** Records that the steps made. */
  readonly made: readonly string[]
  /** Notifications about this record. */
  readonly bells?: number
}

const sorted = ({ status, made, bells = 0 }: Ending): Ending => ({ status, made: [...made].sort(), bells })

/**
 * Something that happens to a process: it must end as it does when nothing goes wrong, whatever its functions meet, also when
 * somebody else works on the same instance in any moment.
 */
export function processOperation({ name, elements, before, act, end, meanwhile }: ProcessOperation): Operation {
  let plain: object | undefined
  return {
    name,
    // Whoever dies in the middle of a step keeps the instance for no longer than this.
    environment: { PROCESS_LEASE_MS: '400' },
    among: /process|sweeper/i,
    onlyInterference: meanwhile !== undefined,
    async prepare(world, n) {
      const { service } = world
      const [model, made] = [`orders_${n}`, `made_${n}`]
      await makeTable(service, made, [{ name: 'what', type: 'text' }])
      await makeTable(service, model, [
        { name: 'title', type: 'text' },
        { name: 'amount', type: 'integer' },
      ])
      await makeProcess(service, model, `order_${n}`, bpmn(elements(made)), { is_auto_start: true })
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
      // What both wait for inside of the same function, such as a template that is being read, comes only when this one goes on:
      // a bound on waiting for each other, reached in that case alone.
      const work = () => Promise.race([run(), new Promise((resolve) => setTimeout(resolve, besideAtMostMs))])
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
            const picture = await pictureOf(subject)
            const came = sorted({ ...picture, status: picture.instances.map(({ status }) => status).join() })
            if (isDisturbed && meanwhile) return expect([end, ...meanwhile.ends].map(sorted)).toContainEqual(came)
            expect(came).toEqual(sorted(end))
            plain ??= picture
            expect(picture).toEqual(plain)
          }
        },
        interfere: meanwhile ? interfere : work,
      }
    },
  }
}

function subjectOf(world: World, model: string, made: string): Subject {
  // The first one of its table.
  const recordId = 1
  const place = `model=${model}&record_id=${recordId}`
  return {
    world,
    model,
    made,
    recordId,
    async create() {
      await world.ask('POST', `/api/e/${model}`, { title: 'A' })
    },
    async say(method, path, body) {
      for (let tries = 1; ; tries += 1) {
        const answer = await world.api(method, path, body).catch(() => undefined)
        if (answer && answer.status < 400) return
        // What was not answered may have been done: then there is nothing to be done any more.
        if (tries > 1 && (answer?.status === 409 || answer?.status === 404)) return
        if (tries === 8 || (answer && answer.status < 500 && answer.status !== 429))
          throw new Error(`${method} ${path}: ${answer?.status} ${JSON.stringify(answer?.body)}`)
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
    },
    async instance() {
      const [instance] = (await world.ask('GET', `/api/sys/process-instances?${place}`)).body.data
      return instance
    },
    async tasks(elementId) {
      const tasks: any[] = (await world.ask('GET', `/api/sys/process-tasks?${place}&status=pending&per_page=100`)).body
        .data
      return tasks
        .filter((task) => elementId === undefined || task.element_id === elementId)
        .toSorted((a, b) => a.id - b.id)
    },
  }
}

/** What became of it, without numbers and times. */
async function pictureOf({ world, model, made, recordId }: Subject) {
  const items = await world.items()
  const about = (wanted: string) =>
    items.filter(({ kind, model: of, record_id }) => kind === wanted && of === model && record_id === recordId)
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
    made: items
      .filter(({ pk }) => pk === recordPartition({ id: 1 }, made))
      .map(({ data }) => (JSON.parse(String(data)) as { what: string }).what)
      .sort(),
    bells: about('notification').length,
  }
}

/** A service task that makes a record saying `what`. */
export const makes = (what: string, table: string): string =>
  `<serviceTask id="make_${what}" wf:action="createRecord"><extensionElements><wf:createRecord table="${table}"><wf:set field="what" value="${what}"/></wf:createRecord></extensionElements></serviceTask>`

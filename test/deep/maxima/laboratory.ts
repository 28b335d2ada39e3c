import { GetQueueAttributesCommand, ListQueuesCommand, SQSClient } from '@aws-sdk/client-sqs'
import { finishedJob } from '../../make/builders/finished-job.ts'
import { otherTenant } from '../../make/builders/people.ts'
import { makeTable } from '../../make/builders/records/tables.ts'
import { upload } from '../../make/builders/records/uploads.ts'
import { checkInvariants } from '../faults/invariants.ts'
import { openWorld, type World } from '../faults/world.ts'
import { hireAsker } from './asker.ts'
import { expectSame, exported } from './configuration.ts'
import { beInnocent } from './innocents.ts'
import { operate, type Outcome, type Surroundings } from './operations.ts'
import { type Ask, type Axis, planOf, range, type Shared } from './plan.ts'

/** A service with two tenants and what the axes share. */
export interface Laboratory {
  /** Runs every operation on a table at the maxima of these axes. */
  run(axes: readonly Axis[]): Promise<Outcome>
  /** The same with one more than the limit of the axis allows. */
  exceed(axis: Axis): Promise<Outcome>
  /** Waits for the work that the runs since the last call left to the background; answers what is not consistent. */
  settle(): Promise<string[]>
  stop(): Promise<void>
}

/** How long the start conditions of the records of one import may take. */
const considerMs = 120_000
/** What does not fit into this time continues as a job. */
const answerWithinMs = '500'

export async function openLaboratory(): Promise<Laboratory> {
  const world = await openWorld({ ANSWER_WITHIN_MS: answerWithinMs })
  const { service } = world
  const [other, mirror] = [await otherTenant(service), await otherTenant(service)]
  for (const name of ['targets', 'echoes', 'innocents'])
    await makeTable(service, name, [{ name: 'name', type: 'text' }])
  await makeTable(service, 'innocents', [{ name: 'name', type: 'text' }], other.token)
  await makeTable(service, 'targets', [{ name: 'name', type: 'text' }], mirror.token)
  await makeTable(service, 'holders', [{ name: 'papers', type: 'file', multiple: true }])
  // A record of its own keeps the files that records of every case hold.
  const uploadMany = () => Promise.all(range(50, () => upload(service)))
  const [files, otherFiles] = [await uploadMany(), await uploadMany()]
  for (const papers of [files, otherFiles]) await world.api('POST', '/api/e/holders', { papers })
  const rows = range(1000, (at) => ({ name: `t${at}` }))
  const { data: imported } = (await world.api('POST', '/api/e/targets/import', { rows })).body
  const { ids } = imported.job_id === undefined ? imported : (await finishedJob(service, imported.job_id)).result
  const targets = ids as number[]
  const shared: Shared = { service, files, otherFiles, targets }
  const surroundings: Surroundings = {
    shared,
    asker: await hireAsker(service),
    mirror: { service, token: mirror.token },
    rebuilds: [],
  }
  const models: string[] = []
  let rebuilt = 0

  async function run(axes: readonly Axis[], more?: Parameters<typeof planOf>[3]): Promise<Outcome> {
    const model = `m${models.length + 1}`
    models.push(model)
    const plan = planOf(shared, model, axes, more)
    const innocents = beInnocent(service, [service.admin.token, other.token], model)
    const outcome = await operate(surroundings, plan)
    outcome.broken.push(...(await innocents))
    // Processes of the next case would wait until those of all imported records were considered.
    if (plan.processes.length > 0 && plan.rows > 2) await service.cloud.idle(considerMs)
    return outcome
  }

  return {
    run,
    exceed: (axis) => run([axis], axis.beyond?.change),
    stop: () => world.stop(),
    async settle() {
      await service.cloud.idle(considerMs)
      const broken = (await deadLettersOf(world)).map((queue) => `dead letters in ${queue}`)
      for (const id of surroundings.rebuilds.splice(0)) {
        const { status, errors } = (await world.api('GET', `/api/sys/jobs/${id}`)).body.data
        if (status !== 'done' || errors.length > 0) broken.push(`rebuild ${id}: ${status} ${JSON.stringify(errors[0])}`)
        rebuilt += 1
      }
      // Which of them change what is found depends on the limits that were drawn.
      if (rebuilt === 0) broken.push('no table was indexed again')
      const own = { service, token: service.admin.token }
      const ask: Ask = async (_step, method, path, body) => (await world.api(method, path, body)).body
      const document = await exported(own, ask)
      await expectSame(own, document!, ask, broken)
      const made = ((document!.tables ?? []) as { name: string }[]).filter(({ name }) => models.includes(name))
      await checkInvariants(
        world,
        made.map(({ name }) => name),
      ).catch((error: Error) => broken.push(error.message.slice(0, 2000)))
      return broken
    },
  }
}

async function deadLettersOf({ service }: World): Promise<string[]> {
  const sqs = new SQSClient({ ...service.cloud.clientOptions('sqs') })
  try {
    const { QueueUrls: urls = [] } = await sqs.send(new ListQueuesCommand({}))
    const filled = await Promise.all(
      urls
        .filter((url) => /DeadLetters|Dlq/i.test(url))
        .map(async (QueueUrl) => {
          const asked = new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['ApproximateNumberOfMessages'] })
          const { Attributes } = await sqs.send(asked)
          return Attributes?.ApproximateNumberOfMessages === '0' ? [] : [QueueUrl.slice(QueueUrl.lastIndexOf('/') + 1)]
        }),
    )
    return filled.flat()
  } finally {
    sqs.destroy()
  }
}

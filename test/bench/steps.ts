/**
 * `node test/bench/steps.ts`: what the start of a process costs with 20 conditions, expressions or activities, the first one in
 * a fresh service and the later ones, and the list of mine among 2,000 tasks, in one process with its data on disk. CPU is
 * of the whole process, consumers of the changes included; the system counts it in hundredths of a second.
 */
import { bpmn, end, flow, inARow, setFields, start } from '../make/builders/processes/processes.ts'
import { startBenchService } from './world/running-service.ts'

const rounds = 40
const tasks = 2_000
const twenty = Array.from({ length: 20 }, (_, at) => at)

/** Twenty exclusive gateways in a row, each with this condition and a default flow. */
function gateways(condition: (at: number) => string): string {
  const nodes = twenty.map((at) => `<exclusiveGateway id="g${at}" default="g${at}_d${at}"/><task id="d${at}"/>`)
  const flows = twenty.flatMap((at) => {
    const next = at === 19 ? 'end' : `g${at + 1}`
    return [flow(`g${at}`, next, condition(at)), flow(`g${at}`, `d${at}`), flow(`d${at}`, next)]
  })
  return bpmn([start, ...nodes, end, flow('start', 'g0'), ...flows].join(''))
}

const processes: Readonly<Record<string, string>> = {
  nothing: bpmn(inARow(start, end)),
  '20 conditions that are interpreted': gateways((at) => `record.amount > ${at} && record.title == "printer"`),
  '20 conditions with dates and patterns': gateways(
    (at) => `new Date(record.created_at).getTime() > ${at} && /^print/.test(record.title)`,
  ),
  '20 conditions of the sandbox': gateways((at) => `Object.entries(record).length > ${at} - 20`),
  '20 activities': bpmn(inARow(start, ...twenty.map((at) => `<task id="t${at}"/>`), end)),
  '20 activities that set fields': bpmn(
    inARow(start, ...twenty.map((at) => setFields(`s${at}`, { amount: `\${record.amount + ${at}}` })), end),
  ),
}

const service = await startBenchService({ TenantRequestsPerSecond: '0' })
try {
  await service.api('POST', '/api/sys/entities', {
    name: 'things',
    table_fields: [
      { name: 'title', type: 'text' },
      { name: 'amount', type: 'integer' },
    ],
  })
  const { data: record } = await service.api('POST', '/api/e/things', { title: 'printer', amount: 100 })
  const ids = new Map<string, number>()
  for (const [index, [name, bpmn_xml]] of Object.entries(processes).entries()) {
    const body = { code: `p${index}`, name, table: 'things', bpmn_xml }
    ids.set(name, (await service.api('POST', '/api/sys/process-templates', body)).data.id)
  }
  const begin = async (template_id: number): Promise<void> => {
    const { data } = await service.api('POST', '/api/sys/process-instances', { template_id, record_id: record.id })
    for (let status = data.status; status !== 'completed';) {
      if (status === 'incident') throw new Error(JSON.stringify(data))
      ;({
        data: { status },
      } = await service.api('GET', `/api/sys/process-instances/${data.id}`))
    }
  }
  /** Consumers of its changes included. */
  const cpuOf = async (times: number, act: () => Promise<unknown>): Promise<number> => {
    await service.waitUntilIdle()
    const before = (await service.usage())?.cpuMs ?? 0
    for (let n = 0; n < times; n += 1) await act()
    await service.waitUntilIdle()
    return (((await service.usage())?.cpuMs ?? 0) - before) / times
  }
  const starts: Record<string, object> = {}
  // A start of nothing loads what every start loads.
  for (const [name, id] of ids) {
    if (name !== 'nothing') await service.restart()
    const nothing = ids.get('nothing') as number
    if (name !== 'nothing') for (let n = 0; n < 3; n += 1) await begin(nothing)
    const first = await cpuOf(1, () => begin(id))
    for (let n = 0; n < 10; n += 1) await begin(id)
    starts[name] = {
      'first, CPU ms': Math.round(first),
      'later, CPU ms': (await cpuOf(rounds, () => begin(id))).toFixed(1),
    }
  }
  console.table(starts)

  await service.api('POST', '/api/sys/process-templates', {
    code: 'asks',
    name: 'asks',
    table: 'things',
    is_auto_start: true,
    bpmn_xml: bpmn(inARow(start, '<userTask id="ask" wf:assignee="${user.id}"/>', end)),
  })
  for (let made = 0; made < tasks; made += 1_000)
    await service.api('POST', '/api/e/things/import', {
      rows: Array.from({ length: 1_000 }, (_, at) => ({ title: `${made + at}` })),
    })
  const list = '/api/sys/process-tasks?mine=true'
  const until = Date.now() + 300_000
  while ((await service.api('GET', `/api/sys/process-tasks?status=pending&per_page=1`)).meta.total < tasks) {
    if (Date.now() > until) throw new Error('the tasks were not made in time')
    await new Promise((resolve) => setTimeout(resolve, 1_000))
  }
  for (let n = 0; n < 20; n += 1) await service.api('GET', list)
  const cpu = await cpuOf(100, () => service.api('GET', list))
  const from = performance.now()
  for (let n = 0; n < 100; n += 1) await service.api('GET', list)
  console.table({ [`list of mine among ${tasks} tasks`]: { ms: ((performance.now() - from) / 100).toFixed(1), cpu } })
} finally {
  await service.stop()
}

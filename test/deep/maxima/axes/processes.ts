import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import {
  maxActivationsPerStep,
  maxLoopIterations,
  maxNodes,
  maxTemplateVersionBytes,
  maxXmlBytes,
} from '../../../../shared/kernel/limits/processes.ts'
import { bpmn, end, inARow, start } from '../../../make/builders/processes/processes.ts'
import { type Axis, type Plan, range } from '../plan.ts'

/** Adds a process that begins with the first record and the first imported one, and ends with an update. */
function addProcess(plan: Plan, name: string, elements: string): void {
  const { model, fields, create, change, processes } = plan
  if (processes.length === 0) {
    fields.push(
      { name: 'starts', type: 'boolean' },
      { name: 'rounds', type: 'integer' },
      { name: 'stage', type: 'text' },
    )
    create.push((n) => ({ starts: n === 1 || n === 100, rounds: n === 1 ? 1 : 0, stage: 'open' }))
    change.push(() => ({ stage: 'done' }))
  }
  // Whether it starts is asked of every imported record.
  plan.rowMs += 20
  processes.push({
    name: `${model}-${name}`,
    label: `${name} of ${model}`,
    table: model,
    bpmn_xml: bpmn(elements, 'wf:startCondition="${record.starts}"'),
    is_auto_start: true,
  })
}

const waiting = (id: string, content = ''): string =>
  `<userTask id="${id}" wf:complete_on_field_stage="done">${content}</userTask>`
/** So many rounds for the first record, and one for others. */
const rounds = (count: number, until = ''): string =>
  `<multiInstanceLoopCharacteristics><loopCardinality>\${record.rounds ? ${count} : 1}</loopCardinality>${until}</multiInstanceLoopCharacteristics>`

/** Text that hardly compresses. */
const noise = range(maxXmlBytes / 64, (at) => createHash('sha256').update(String(at)).digest('hex')).join('')
const documented = (bytes: number, random: number): string => {
  const task = (text: string) => inARow(start, waiting('wait', `<documentation>${text}</documentation>`), end)
  const empty = Buffer.byteLength(bpmn(task(''), 'wf:startCondition="${record.starts}"'))
  return task(noise.slice(0, random).padEnd(bytes - empty, 'lorem ipsum '))
}
/** How many characters of noise make a document as large as it may be when it is compressed. */
const largestNoise = ((): number => {
  let [fits, tooMany] = [0, maxXmlBytes]
  while (tooMany - fits > 100) {
    const middle = Math.floor((fits + tooMany) / 2)
    // The compiled form is small.
    if (gzipSync(bpmn(documented(maxXmlBytes, middle))).length < maxTemplateVersionBytes - 2000) fits = middle
    else tooMany = middle
  }
  return fits
})()

/** A process of the most elements, which begins so many activities before it waits. */
const activities = (count: number): string => {
  // Two events, two loops, and the task that waits.
  const nodes = maxNodes - 5
  const often = maxLoopIterations / 2
  return inARow(
    start,
    `<task id="often">${rounds(often)}</task>`,
    // The start, the task that waits, and each loop as a whole begin as well.
    `<task id="again">${rounds(count - often - nodes - 4)}</task>`,
    ...range(nodes, (at) => `<task id="t${at}"/>`),
    waiting('wait'),
    end,
  )
}
/** The first task that is completed withdraws the others. */
const tasks = (count: number): string =>
  inARow(start, waiting('wait', rounds(count, '<completionCondition>true</completionCondition>')), end)
const replace = ({ processes }: Plan, elements: string): void => {
  processes[0]!.bpmn_xml = bpmn(elements, 'wf:startCondition="${record.starts}"')
}

export const processAxes: readonly Axis[] = [
  {
    name: 'template size',
    apply: (plan) => addProcess(plan, 'large', documented(maxXmlBytes, largestNoise)),
    beyond: {
      step: 'process',
      says: /bpmn_xml/,
      change: (plan) => replace(plan, documented(maxXmlBytes + 1, largestNoise)),
    },
  },
  {
    name: 'activities',
    apply: (plan) => addProcess(plan, 'long', activities(maxActivationsPerStep)),
    beyond: {
      step: 'incident',
      says: /one step begins 2000 activities at most/,
      change: (plan) => replace(plan, activities(maxActivationsPerStep + 1)),
    },
  },
  {
    name: 'tasks',
    apply: (plan) => addProcess(plan, 'wide', tasks(maxLoopIterations)),
    beyond: {
      step: 'incident',
      says: /would run 1001 times; at most 1000/,
      change: (plan) => replace(plan, tasks(maxLoopIterations + 1)),
    },
  },
]

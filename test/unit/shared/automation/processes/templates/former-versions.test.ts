/** A version that a former version of the service has compiled, whose form for another engine nobody reads any more. */
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { recompileGraph } from '../../../../../../shared/automation/bpmn/document/compile-process.ts'
import { startProcess } from '../../../../../../shared/automation/bpmn/process.ts'
import {
  compiledProcesses,
  processReads,
  readVersion,
} from '../../../../../../shared/automation/processes/templates/template.ts'
import { processVersionKey } from '../../../../../../shared/platform/store/keys/processes.ts'
import { gzipJson } from '../../../../../../shared/platform/store/values/pack-json.ts'
import { openSingleTable, type SingleTable } from '../../../../../make/services/stores/single-table.ts'

const tenant = { id: 7 }
const xml = `<definitions id="D" xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL" xmlns:wf="urn:entity-workflow:wf:1" targetNamespace="x"><process id="P" isExecutable="true" wf:table="requests"><startEvent id="s"/><userTask id="t" name="Approve" wf:assignee="3"/><boundaryEvent id="b" attachedToRef="t" cancelActivity="false"><timerEventDefinition><timeDuration>PT1H</timeDuration></timerEventDefinition></boundaryEvent><callActivity id="c" calledElement="other"/><endEvent id="e"/><endEvent id="l"/><sequenceFlow id="f1" sourceRef="s" targetRef="t"/><sequenceFlow id="f2" sourceRef="t" targetRef="c"/><sequenceFlow id="f3" sourceRef="c" targetRef="e"/><sequenceFlow id="f4" sourceRef="b" targetRef="l"/></process></definitions>`
const task = {
  assignee: '3',
  candidateUsers: [],
  candidateRoles: [],
  candidateOrgUnits: [],
  form: [],
  outcomes: [],
  completeOn: [],
  notifications: [],
  setFields: [],
}
const parent = { id: 'P', type: 'bpmn:Process' }
const former = {
  v: 1,
  processId: 'P',
  name: null,
  context: {
    id: 'D',
    type: 'bpmn:Definitions',
    activities: [{ id: 's', type: 'bpmn:StartEvent', parent, behaviour: { $type: 'bpmn:StartEvent', id: 's' } }],
    sequenceFlows: [{ id: 'f1', type: 'bpmn:SequenceFlow', parent, targetId: 't', sourceId: 's' }],
  },
  wf: { table: 'requests' },
  elements: { s: { type: 'startEvent', name: null }, t: { type: 'userTask', name: 'Approve' } },
  tasks: { t: task },
  work: {},
  // As it was decided when the template was saved.
  calls: { c: { code: 'other', pinned: { templateId: 5, version: 2 } } },
  reads: { variables: {}, texts: {} },
}

let table: SingleTable
beforeEach(async () => {
  table = await openSingleTable()
})
afterEach(() => table.close())

const key = processVersionKey(tenant, 9, 1)
const stored = async () => {
  const item = { ...key, kind: 'process_version', v: 1, xml: gzipSync(xml), process: gzipJson(former) }
  await table.store.write(tenant, { put: item })
  return item
}

it('is compiled anew once, for all functions, and keeps what was decided when it was saved', async () => {
  await stored()
  const recompile = vi.fn<typeof recompileGraph>(recompileGraph)
  const process = await compiledProcesses(table.store, recompile)(tenant, 9, 1)
  expect(process).toMatchObject({ v: 2, calls: former.calls, tasks: former.tasks, reads: former.reads })
  expect(process.graph.nodes.map(({ id }) => id)).toEqual(['s', 't', 'b', 'c', 'e', 'l'])
  const host = { now: () => 0, evaluate: async () => true, perform: async () => undefined }
  expect((await startProcess(process, host)).waits.map(({ kind, elementId }) => [kind, elementId])).toEqual([
    ['task', 't'],
    ['timer', 'b'],
  ])
  expect(await compiledProcesses(table.store, recompile)(tenant, 9, 1)).toEqual(JSON.parse(JSON.stringify(process)))
  expect(recompile).toHaveBeenCalledOnce()
})

it('stays readable for the former version', async () => {
  const item = await stored()
  await compiledProcesses(table.store, recompileGraph)(tenant, 9, 1)
  const { compiled, ...left } = (await table.store.get(tenant, key)) ?? {}
  expect(compiled).toBeDefined()
  expect(Buffer.from(left.process as Uint8Array).equals(item.process)).toBe(true)
})

it('runs, too, where what it was compiled to cannot be kept', async () => {
  await stored()
  const store = { ...table.store, write: async () => Promise.reject(new Error('the item is too large')) }
  expect((await compiledProcesses(store, recompileGraph)(tenant, 9, 1)).v).toBe(2)
})

it('may have faults that are found since: it runs as it has run', async () => {
  const broken = xml.replace('wf:assignee="3"', 'wf:assignee="3" wf:asignee="4"')
  expect((await recompileGraph(broken)).nodes).toHaveLength(6)
})

it('is read without being compiled where it is shown', async () => {
  await stored()
  expect(await readVersion(table.store, tenant, 9, 1)).toEqual({ xml, wf: former.wf, findings: [] })
  expect(await processReads(table.store)(tenant, 9, 1)).toMatchObject({
    elements: former.elements,
    reads: former.reads,
  })
})
